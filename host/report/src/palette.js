// The colours, in light and in dark. The command writes them into the page.

const KEY = "barefxt-theme";

// Null where nothing is, or where the browser keeps nothing for files.
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export class Palette {
  constructor(colours, hues) {
    this.colours = colours;
    this.hues = hues;
    this.preference = matchMedia("(prefers-color-scheme: dark)");
    this.chosen = remembered();
  }
  get theme() {
    return this.chosen ?? (this.preference.matches ? "dark" : "light");
  }
  toggle() {
    this.chosen = this.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch {
      // Then it is forgotten with the page.
    }
  }
  get(name) {
    return this.colours[this.theme][name];
  }
  // The colour of items without one of their own.
  hue(number) {
    const hues = this.hues[this.theme];
    return hues[number % hues.length];
  }
  applyTo(element) {
    element.dataset.theme = this.theme;
    element.style.colorScheme = this.theme;
    for (const [name, colour] of Object.entries(this.colours[this.theme])) element.style.setProperty(`--${name}`, colour);
    this.hues[this.theme].forEach((colour, number) => element.style.setProperty(`--hue-${number}`, colour));
  }
}
