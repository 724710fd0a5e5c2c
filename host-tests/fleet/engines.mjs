// The engines that run the files of host/sql: DuckDB as they stand, ClickHouse with the differences that
// docs/how-to/fleets.md names. Both are packages of npm, in the folder that BAREFXT_DUCKDB names: @duckdb/node-api, and
// chdb, which may be missing.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const packages = createRequire(join(resolve(process.env.BAREFXT_DUCKDB), 'x.js'));

async function duckdb() {
  const { DuckDBInstance } = packages('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return { name: 'DuckDB', query: async (sql) => (await connection.runAndReadAll(sql)).getRowObjects() };
}

// The page's table of differences: for each row, what the files have and what the engine has.
export function differences(page, engine) {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => /^\| in the files \|/.test(line));
  const cells = (line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').replace(/^`+ ?| ?`+$/g, ''));
  const column = cells(lines[head]).indexOf(engine);
  if (column < 1) throw new Error(`no differences of ${engine}`);
  const rows = [];
  for (let i = head + 2; lines[i]?.startsWith('|'); ++i) rows.push([cells(lines[i])[0], cells(lines[i])[column]]);
  return rows;
}

function clickhouse(page) {
  const { Session } = packages('chdb');
  const session = new Session();
  const replaced = differences(page, 'ClickHouse');
  return {
    name: 'ClickHouse',
    query: async (sql) => {
      const changed = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), sql);
      const text = session.query(changed.replace(/;\s*$/, ''), 'JSONEachRow');
      return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
    },
  };
}

export async function engines(source) {
  const page = readFileSync(join(source, 'docs/how-to/fleets.md'), 'utf8');
  const all = [await duckdb()];
  try {
    packages.resolve('chdb');
  } catch {
    console.log('no chdb in BAREFXT_DUCKDB: the queries are not run by ClickHouse');
    return all;
  }
  return [...all, clickhouse(page)];
}

// Those over `records`, or over `rows`, in the order of the page: views first.
export function files(source, tables) {
  const page = readFileSync(join(source, 'docs/how-to/fleets.md'), 'utf8');
  const [rows, records] = page.split('## All records');
  const named = [...(tables === 'rows' ? rows : records).matchAll(/^\| `(\w+)\.sql` \|/gm)].map(([, name]) => name);
  return named.map((name) => [name, readFileSync(join(source, 'host/sql', `${name}.sql`), 'utf8')]);
}
