import { setTimeout as sleep } from 'node:timers/promises';
import type { Verification } from '#contract/resources/audit.ts';
import { call } from '../support/api-client.ts';
import { type Installation, openEmbedded, openOnPostgres } from './installation.ts';
import { type MixedLoad, startMixedLoad } from './mixed-load.ts';
import { type Property, printProperties, printTables } from './report.ts';
import { type OrderedStop, restartUntil, stopAll } from './restarts.ts';
import { GROWTH, readQuarters, type Sample, takeSample } from './samples.ts';
import { readTableSizes, type TableSize } from './table-sizes.ts';

// npm run soak -- MINUTES [embedded|postgres]: half of them on each database. Prints a table of what must hold and one
// of what was stored, and ends with 1 if anything does not hold. Ratios and counts decide, never times.

const CLIENTS = 6;
const SAMPLE_EVERY_MS = 5_000;
const FAULT_EVERY_MS = 20_000;
/** Shares of the time: the end of the warm-up, of the faults that leave the processes running, and of the restarts. */
const WARM_UNTIL = 0.2;
const STEADY_UNTIL = 0.7;
const RESTART_UNTIL = 0.9;
/** On a busy machine, the start of the processes may take most of a short run. */
const SHORTEST_MS = 45_000;
/** What is open when the load ends may wait for the lease of a killed worker. */
const END_WITHIN_MS = 180_000;

const DATABASES = { embedded: openEmbedded, postgres: openOnPostgres };
const startedMs = Date.now();
let holdsAll = true;

function print(text: string): void {
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  process.stdout.write(`${String(seconds).padStart(5)} s  ${text}\n`);
}

async function soak(installation: Installation, untilMs: number): Promise<void> {
  const fromMs = Date.now();
  const reach = (share: number) => fromMs + Math.max(SHORTEST_MS, untilMs - fromMs) * share;
  print(`${installation.name}: warm-up, ${CLIENTS} clients`);
  const load = await startMixedLoad(installation.apis, CLIENTS);
  await sleep(Math.max(0, reach(WARM_UNTIL) - Date.now()));
  print('faults');
  const samples = await causeFaultsUntil(reach(STEADY_UNTIL), installation);
  print('restarts');
  const stops = await restartUntil(reach(RESTART_UNTIL), installation);
  await load.stop();
  print(`waits for ${load.open.size} of ${load.created()} generations`);
  await waitForEnd(installation, load);
  const [first] = installation.apis;
  if (!first) throw new RangeError('An installation accepts requests.');
  const { ok } = await call<Verification>({ url: first.url(''), key: first.key }, 'GET', '/v1/billing/verification');
  const tempFolders = await installation.countTempFolders();
  stops.push(...(await stopAll(installation)));
  const tables = await readTableSizes(installation.read);
  const properties = [...judgeGrowth(samples), ...judgeEnd({ load, stops, tables, isLedgerWhole: ok })];
  printProperties(
    `${installation.name}: ${load.requests()} requests, ${load.created()} generations, ${load.unavailable()} without service`,
    properties,
  );
  printTables(tables, load.created());
  process.stdout.write(`  ${tempFolders} temp folders of killed processes were left\n\n`);
  for (const { output } of stops.filter(({ exitCode }) => exitCode !== 0)) print(`ordered stop failed: ${output}`);
  for (const problem of load.problems.slice(0, 5)) print(`unexpected: ${problem}`);
  holdsAll &&= properties.every(({ holds }) => holds);
}

/** @returns samples taken meanwhile */
async function causeFaultsUntil(untilMs: number, installation: Installation): Promise<Sample[]> {
  const { faults } = installation;
  const samples: Sample[] = [];
  const over = new AbortController();
  const sampling = (async () => {
    for (; !over.signal.aborted; await sleep(SAMPLE_EVERY_MS)) samples.push(await takeSample(installation));
  })();
  for (let turn = 0; Date.now() < untilMs; turn += 1) {
    const fault = faults[turn % faults.length];
    if (turn < faults.length) print(`  ${fault?.name}`);
    await fault?.cause();
    await sleep(Math.min(FAULT_EVERY_MS, Math.max(0, untilMs - Date.now())));
  }
  over.abort();
  await sampling;
  return samples;
}

async function waitForEnd({ processes }: Installation, load: MixedLoad): Promise<void> {
  const untilMs = Date.now() + END_WITHIN_MS;
  for (; load.open.size > 0 && Date.now() < untilMs; await sleep(1_000)) await load.followAll();
  if (load.open.size === 0) return;
  print(`still open: ${[...load.open].join(', ')}`);
  for (const { output } of processes) print(output().slice(-2_000));
}

const judgeGrowth = (samples: readonly Sample[]): Property[] =>
  GROWTH.map(({ name, read, factor, slack }) => {
    const quarters = readQuarters(samples, read);
    const last = quarters.at(-1) ?? 0;
    const bound = (quarters[0] ?? 0) * factor + slack;
    const seen = quarters.map(Math.round).join(', ');
    return { name, seen, expected: `at most ${Math.round(bound)}`, holds: last <= bound };
  });

interface End {
  load: MixedLoad;
  stops: readonly OrderedStop[];
  tables: readonly TableSize[];
  isLedgerWhole: boolean;
}

function judgeEnd({ load, stops, tables, isLedgerWhole }: End): Property[] {
  const none = (name: string, count: number, of = ''): Property => ({
    name,
    seen: `${count}${of}`,
    expected: '0',
    holds: count === 0,
  });
  const slowestS = Math.max(0, ...stops.map(({ tookMs }) => tookMs)) / 1000;
  return [
    none('acknowledged generations not ended', load.open.size, ` of ${load.created()}`),
    none('responses but success, 409 and 503', load.problems.length, ` of ${load.requests()}`),
    none(
      'ordered stops not ended with 0',
      stops.filter(({ exitCode }) => exitCode !== 0).length,
      ` of ${stops.length}`,
    ),
    { name: 'slowest ordered stop, s', seen: slowestS.toFixed(1), expected: 'reported', holds: true },
    { name: 'the ledger verifies', seen: isLedgerWhole ? 'yes' : 'no', expected: 'yes', holds: isLedgerWhole },
    none(
      'rows kept for too long',
      tables.reduce((sum, { overdue }) => sum + (overdue ?? 0), 0),
    ),
  ];
}

const [minutesGiven = '20', only] = process.argv.slice(2);
const minutes = Number(minutesGiven);
if (!(minutes >= 1 && minutes <= 10_000)) throw new RangeError('Give a number of minutes, from 1.');
const openers = Object.entries(DATABASES).filter(([name]) => only === undefined || name === only);
if (openers.length === 0) throw new RangeError(`Give one of ${Object.keys(DATABASES).join(' and ')}, or neither.`);
for (const [name, open] of openers) {
  const fromMs = Date.now();
  const installation = await open();
  if (!installation) {
    print(`${name}: not run, because initdb is not installed`);
    continue;
  }
  try {
    await soak(installation, fromMs + (minutes * 60_000) / openers.length);
  } finally {
    await installation.close();
  }
}
print(holdsAll ? 'PASS' : 'FAIL');
process.exitCode = holdsAll ? 0 : 1;
