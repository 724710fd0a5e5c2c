// The queries of host/sql over rows of check, explain and stats, run by each engine, compared with what the verbs print of
// each archive alone. The archives are of two builds; one file is no trace.
//
//   node rows.mjs SOURCE COMMAND WORK ARCHIVE...
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { engines, files } from './engines.mjs';

const [source, command, work, ...archives] = process.argv.slice(2);
rmSync(work, { recursive: true, force: true });
for (const folder of ['verdicts', 'causes', 'figures']) mkdirSync(join(work, folder), { recursive: true });
process.chdir(work);
writeFileSync('rules.txt', ['wakeup_latency max <= 100ms', 'run max <= 20ms', 'never thread "a" runs while thread "b" runs', ''].join('\n'));
writeFileSync('none.fxt', 'This is no trace.');

function run(...words) {
  const ran = spawnSync(command, words, { maxBuffer: 1 << 28, encoding: 'utf8' });
  if (ran.status === null || ran.status === 2) throw new Error(`barefxt ${words.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}
// An archive's number decides its build.
const builds = ['one', 'two'];
builds.forEach((build, i) => {
  const some = [...archives.filter((_, number) => number % 2 === i), 'none.fxt'];
  const into = (folder) => ['--to', 'parquet', '-o', `${folder}/${build}.parquet`, '--build', build, '--jobs', '2'];
  run('check', 'rules.txt', ...some, ...into('verdicts'));
  run('explain', ...some, ...into('causes'));
  run('stats', '--exact', ...some, ...into('figures'));
});

// Sums by key, from the verbs' own outputs.
const rules = new Map();
const causes = new Map();
const latencies = new Map();
const stacks = new Map();
const entry = (map, key, empty) => map.get(key) ?? map.set(key, empty()).get(key);
const nanoseconds = (ticks, rate) => Number((BigInt(ticks) * 1000000000n) / BigInt(rate));
archives.forEach((archive, i) => {
  const build = builds[i % 2];
  const statistics = JSON.parse(run('stats', '--json', '--exact', archive));
  const isLost = statistics.losses.length > 0;
  for (const one of JSON.parse(run('check', 'rules.txt', archive, '--json')).traces[0].verdicts) {
    const sum = entry(rules, `${build} ${one.rule}`, () => ({ traces: 0, violated: 0, unknown: 0, holds: 0, violations: 0 }));
    ++sum.traces;
    ++sum[one.verdict === 'holds' && isLost ? 'unknown' : one.verdict];
    sum.violations += one.violated;
  }
  const explained = JSON.parse(run('explain', archive, '--json'));
  for (const one of explained.cases)
    for (const part of one.parts) {
      const name = part.interrupt ?? part.thread_name ?? part.waits_for?.object_name ?? part.waits_for?.name ?? null;
      const key = [one.kind, one.thread_name ?? null, part.cause, name === '' ? null : name].join(' ');
      const sum = entry(causes, key, () => ({ cases: 0, unknown_cases: 0, total: null, worst: null }));
      const length = nanoseconds(part.ticks, explained.ticks_per_second);
      if (isLost) ++sum.unknown_cases;
      else Object.assign(sum, { cases: sum.cases + 1, total: (sum.total ?? 0) + length, worst: Math.max(sum.worst ?? 0, length) });
    }
  for (const thread of statistics.threads.filter((one) => one.wakeup_latency.count > 0)) {
    const sum = entry(latencies, `${build} ${thread.name}`, () => ({ traces: 0, unknown: 0, most: null }));
    const length = (thread.wakeup_latency.max_ticks * 1e9) / statistics.ticks_per_second;
    if (isLost) ++sum.unknown;
    else Object.assign(sum, { traces: sum.traces + 1, most: Math.max(sum.most ?? 0, length) });
  }
  for (const stack of JSON.parse(run('stats', '--stacks', '--json', archive)).stacks) {
    const sum = entry(stacks, `${build} ${stack.name}`, () => ({ traces: 0, unknown: 0, least_left: null }));
    if (isLost) ++sum.unknown;
    else Object.assign(sum, { traces: sum.traces + 1, least_left: Math.min(sum.least_left ?? stack.left, stack.left) });
  }
});
for (const build of builds)
  for (const [key, sum] of rules)
    if (key.startsWith(build)) Object.assign(sum, { traces: sum.traces + 1, unknown: sum.unknown + 1 });

let checks = 0;
const wrong = [];
function compare(what, rows, keyOf, expected) {
  if (rows.length !== expected.size) wrong.push(`${what}: ${rows.length} rows, not ${expected.size}`);
  for (const row of rows) {
    const sums = expected.get(keyOf(row));
    if (!sums) wrong.push(`${what}: nothing known of ${keyOf(row)}`);
    for (const [column, value] of Object.entries(sums ?? {})) {
      ++checks;
      const isSame = value === null || row[column] === null ? row[column] === value : Math.abs(Number(row[column]) - value) <= 1e-9 * value;
      if (!isSame) wrong.push(`${what}, ${keyOf(row)}: ${column} is ${row[column]}, not ${value}`);
    }
  }
}
for (const engine of await engines(source)) {
  const tables = new Map();
  for (const [name, sql] of files(source, 'rows')) tables.set(name, await engine.query(sql));
  compare(`${engine.name}, failing_rules`, tables.get('failing_rules'), (row) => `${row.build} ${row.rule}`, rules);
  compare(`${engine.name}, worst_causes`, tables.get('worst_causes').filter((row) => row.kind !== null),
    (row) => [row.kind, row.thread_name, row.cause, row.cause_name].join(' '), causes);
  compare(`${engine.name}, builds`,
    tables.get('builds').filter((row) => row.metric === 'wakeup_latency' && row.statistic === 'max'),
    (row) => `${row.build} ${row.thread_name}`, latencies);
  compare(`${engine.name}, least_stacks`, tables.get('least_stacks'), (row) => `${row.build} ${row.thread_name}`, stacks);
}
for (const line of wrong.slice(0, 20)) console.error(line);
console.log(`${checks} numbers of rows compared, ${wrong.length} wrong`);
process.exit(wrong.length > 0 || checks < 1000 || stacks.size < 4 ? 1 : 0);
