// Which stretch of time is looked at, and how far down the lanes are scrolled.

export class View {
  constructor(trace, onChange) {
    this.trace = trace;
    this.onChange = onChange;
    this.scroll = 0;
    this.mostScroll = 0;
    // Something to see even where all of it is one moment.
    this.least = trace.first;
    this.most = trace.last > trace.first ? trace.last : trace.first + 1;
    this.begin = this.least;
    this.end = this.most;
  }
  get width() {
    return this.end - this.begin;
  }
  show(begin, end) {
    const whole = this.most - this.least;
    const width = Math.min(whole, Math.max(end - begin, Math.min(whole, 10)));
    const middle = (begin + end) / 2;
    this.begin = Math.min(Math.max(middle - width / 2, this.least), this.most - width);
    this.end = this.begin + width;
    this.onChange();
  }
  get isWhole() {
    return this.begin === this.least && this.end === this.most;
  }
  whole() {
    this.show(this.least, this.most);
  }
  // `factor` below 1 shows more; the moment at `time` stays where it is.
  zoom(factor, time = (this.begin + this.end) / 2) {
    const begin = time - (time - this.begin) / factor;
    this.show(begin, begin + this.width / factor);
  }
  pan(ticks) {
    const shift = Math.min(Math.max(ticks, this.least - this.begin), this.most - this.end);
    this.show(this.begin + shift, this.end + shift);
  }
  scrollTo(pixels) {
    this.scroll = Math.min(Math.max(0, pixels), this.mostScroll);
    this.onChange();
  }
}
