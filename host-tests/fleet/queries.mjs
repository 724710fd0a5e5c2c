// The queries of host/sql over records, run by each engine over tables of the archives, compared with
// `barefxt stats --json --exact`, `stats --heap` and `profile` of each. The values of an archive with losses are null.
//
//   node queries.mjs SOURCE COMMAND WORK ARCHIVE...
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { engines, files } from './engines.mjs';

const [source, command, work, ...archives] = process.argv.slice(2);

rmSync(work, { recursive: true, force: true });
mkdirSync(join(work, 'traces'), { recursive: true });
process.chdir(work);

const stats = new Map();
archives.forEach((archive, i) => {
  const table = `traces/${i}.parquet`;
  execFileSync(command, ['convert', archive, '--to', 'parquet', '-o', table]);
  const json = (...words) => JSON.parse(execFileSync(command, [...words, '--json', archive], { maxBuffer: 1 << 28 }));
  stats.set(table, { ...json('stats', '--exact'), sites: json('stats', '--heap').sites, sampled: json('profile') });
});

let checks = 0;
let engine;
let tables;
const wrong = [];
function fail(text) {
  wrong.push(`${engine.name}: ${text}`);
}
function same(what, found, expected) {
  ++checks;
  // Reals are sums in another order.
  const error = Number.isInteger(Number(expected)) ? 0 : 1e-9 * Math.abs(expected);
  if (!(Math.abs(Number(found) - Number(expected)) <= error)) fail(`${what}: ${found} is not ${expected}`);
}
// Compares the number of rows, and each column of each row, found by its key.
function compare(name, expected, keyOf, columns, evenWithLosses = false) {
  for (const [file, statistics] of stats) {
    const rows = tables.get(name).filter((row) => row.filename === file);
    if (statistics.losses.length > 0 && !evenWithLosses) {
      for (const row of rows)
        for (const column of columns) {
          ++checks;
          if (row[column] !== null) fail(`${name} of ${file}, which has losses: ${column} is ${row[column]}`);
        }
      continue;
    }
    const wanted = expected(statistics);
    same(`${name} of ${file}, rows`, rows.length, wanted.length);
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    for (const one of wanted) {
      const row = byKey.get(one.key);
      if (!row) fail(`${name} of ${file}: no ${one.key}`);
      for (const column of row ? columns : []) same(`${name} of ${file}, ${one.key}, ${column}`, row[column], one[column]);
    }
  }
}
// Nanoseconds of ticks: the rates of the traces here divide them.
const nanoseconds = (statistics) => (ticks) => (ticks * 1e9) / statistics.ticks_per_second;
const lengths = (set, ns) => ({ count: set.count, p50: ns(set.p50_ticks), p99: ns(set.p99_ticks), max: ns(set.max_ticks) });

function compareAll() {
  compare('running', (s) => s.threads.filter((t) => t.runs > 0).map((t) => (
    { key: String(t.thread), runs: t.runs, running: nanoseconds(s)(t.running_ticks) })),
    (row) => String(row.thread), ['runs', 'running']);
  compare('cpus', (s) => s.cpus.map((c) => (
    { key: String(c.cpu), busy: nanoseconds(s)(c.busy_ticks), idle: nanoseconds(s)(c.idle_ticks), busy_share: c.busy_share })),
    (row) => String(row.cpu), ['busy', 'idle', 'busy_share']);
  compare('states', (s) => s.threads.map((t) => (
    { key: String(t.thread), runnable: nanoseconds(s)(t.runnable_ticks), blocked: nanoseconds(s)(t.blocked_ticks), waiting: nanoseconds(s)(t.waiting_ticks) })),
    (row) => String(row.thread), ['runnable', 'blocked', 'waiting']);
  compare('lengths', (s) => s.threads.flatMap((t) => ['run', 'block'].filter((what) => t[what].count > 0).map((what) => (
    { key: `${t.thread} ${what}`, total: nanoseconds(s)(t[what].total_ticks), ...lengths(t[what], nanoseconds(s)) }))),
    (row) => `${row.thread} ${row.what}`, ['count', 'total', 'p50', 'p99', 'max']);
  compare('switches', (s) => s.threads.filter((t) => t.switches > 0).map((t) => ({ key: String(t.thread), ...t })),
    (row) => String(row.thread), ['switches', 'preempted', 'yielded', 'blocked', 'ended']);
  compare('wakeup_latency', (s) => s.threads.filter((t) => t.wakeup_latency.count > 0).map((t) => (
    { key: String(t.thread), ...lengths(t.wakeup_latency, nanoseconds(s)) })),
    (row) => String(row.thread), ['count', 'p50', 'p99', 'max']);
  compare('interrupts', (s) => s.interrupts.map((i) => (
    { key: `${i.cpu} ${i.name}`, ...i, total: nanoseconds(s)(i.total_ticks), ...lengths(i, nanoseconds(s)), keeping_off: i.kept_off.count,
      kept_off: nanoseconds(s)(i.kept_off.max_ticks) })),
    (row) => `${row.cpu} ${row.name}`,
    ['count', 'per_second', 'total', 'p50', 'p99', 'max', 'nested', 'deepest', 'keeping_off', 'kept_off', 'kept_off_thread']);
  const isInterrupt = (s) => new Set(s.interrupts.map((i) => `irq ${i.name}`));
  compare('durations', (s) => s.durations.filter((d) => !isInterrupt(s).has(`${d.category} ${d.name}`)).map((d) => (
    { key: `${d.category} ${d.name}`, total: nanoseconds(s)(d.total_ticks), ...lengths(d, nanoseconds(s)) })),
    (row) => `${row.category} ${row.name}`, ['count', 'total', 'p50', 'p99', 'max']);
  compare('self_time', (s) => s.durations.filter((d) => !isInterrupt(s).has(`${d.category} ${d.name}`)).map((d) => (
    { key: `${d.category} ${d.name}`, self: nanoseconds(s)(d.self_ticks) })),
    (row) => `${row.category} ${row.name}`, ['self']);
  const lock = (c) => `${c.name} ${c.object}`;
  compare('contention', (s) => s.contention.map((c) => ({ key: lock(c), total: nanoseconds(s)(c.total_ticks), ...lengths(c, nanoseconds(s)) })),
    (row) => `${row.name} ${row.object}`, ['count', 'total', 'p50', 'p99', 'max']);
  compare('holders', (s) => s.contention.flatMap((c) => c.holders.map((h) => (
    { key: `${lock(c)} ${h.thread}`, total: nanoseconds(s)(h.total_ticks), ...lengths(h, nanoseconds(s)) }))),
    (row) => `${row.name} ${row.object} ${row.holder}`, ['count', 'total', 'p50', 'p99', 'max']);
  compare('inversions', (s) => s.priority_inversions.map((i) => (
    { key: [lock(i), i.waiter, i.holder, i.runner].join(' '), times: i.times, total: nanoseconds(s)(i.ticks), max: nanoseconds(s)(i.max_ticks) })),
    (row) => [row.name, String(row.object), row.waiter, row.holder, row.runner].join(' '), ['times', 'total', 'max']);
  compare('counters', (s) => s.counters.map((c) => ({ key: [c.category, c.name, c.counter_id, c.argument].join(' '), ...c })),
    (row) => [row.category, row.name, row.id, row.argument].join(' '), ['samples', 'min', 'mean', 'max', 'last', 'time_weighted_mean']);
  compare('flows', (s) => s.flows.filter((f) => f.ended > 0).map((f) => (
    { key: `${f.category} ${f.name}`, ended: f.ended, ...lengths(f.end_to_end, nanoseconds(s)) })),
    (row) => `${row.category} ${row.name}`, ['ended', 'p50', 'max']);
  compare('heap_sites', (s) => s.sites.filter((site) => site.live.blocks > 0).map((site) => (
    { key: `0x${site.caller.toString(16)}`, ...site.live })), (row) => row.caller, ['blocks', 'bytes']);
  compare('hot_functions', (s) => s.sampled.functions.filter((one) => one.self > 0).map((one) => (
    { key: one.function, samples: one.self, share: one.self / s.sampled.samples })), (row) => row.name, ['samples', 'share']);
  compare('losses', (s) => s.losses.map((l) => ({ key: `cpu-${l.cpu} ${l.where}`, ...l })), (row) => `${row.cpu} ${row.place ?? 'unknown'}`,
    ['times', 'records', 'bytes'], true);
  compare('loss_share', (s) => (s.losses.length === 0 ? [] : [{ key: '', loss: nanoseconds(s)(s.loss_ticks), share: s.loss_share }]), () => '',
    ['loss', 'share'], true);
}

for (engine of await engines(source)) {
  tables = new Map();
  for (const [name, sql] of files(source, 'records')) tables.set(name, await engine.query(sql));
  compareAll();
}
for (const line of wrong.slice(0, 20)) console.error(line);
const isAny = (has) => [...stats.values()].some((s) => s.losses.length === 0 && has(s));
if (!isAny((s) => s.sites.length > 0) || !isAny((s) => s.sampled.samples > 0)) wrong.push('no archive has heaps or samples');
console.log(`${checks} numbers compared, ${wrong.length} wrong`);
process.exit(wrong.length > 0 || checks < 1000 ? 1 : 0);
