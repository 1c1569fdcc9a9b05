import { setTimeout as sleep } from 'node:timers/promises';
import { isActive } from '#contract/generation-status.ts';
import type { Verification } from '#contract/resources/audit.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { printCheck } from '../bench/report.ts';
import { call } from '../support/api-client.ts';
import { type Installation, openEmbedded, openOnPostgres } from './installation.ts';
import { type MixedLoad, startMixedLoad } from './mixed-load.ts';
import { compareEnds, type Sample, takeSample } from './samples.ts';

// npm run soak -- MINUTES: half of them on the embedded database and half on PostgreSQL. Reports what grows, and ends
// with 1 if anything that must hold does not. Ratios and counts are judged, never times.

const CLIENTS = 6;
const SAMPLE_EVERY_MS = 5_000;
const FAULT_EVERY_MS = 20_000;
/** Shares of the time: caches fill; faults that leave the processes running; kills and ordered stops. */
const WARM_UP = 0.25;
const STEADY = 0.5;
const END_WITHIN_MS = 180_000;
const MAX_GROWTH = 1.2;
/** The slack is what a collection of garbage may leave, and connections and work that come and go. */
const GROWTH: readonly { name: string; read: (sample: Sample) => number; slack: number }[] = [
  { name: 'resident memory, MiB', read: ({ resident_mib }) => resident_mib, slack: 64 },
  { name: 'descriptors', read: ({ descriptors }) => descriptors, slack: 16 },
  { name: 'temp folders', read: ({ temp_folders }) => temp_folders, slack: 8 },
];

let holds_all = true;
function check(what: string, holds: boolean): void {
  printCheck(what, holds);
  holds_all &&= holds;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Repeats `act` until the time is over. */
async function repeatFor(duration_ms: number, every_ms: number, act: (turn: number) => Promise<void>): Promise<void> {
  const until_ms = Date.now() + duration_ms;
  for (let turn = 0; Date.now() < until_ms; turn += 1) {
    await act(turn);
    await sleep(Math.min(every_ms, Math.max(0, until_ms - Date.now())));
  }
}

async function soak(installation: Installation, duration_ms: number): Promise<void> {
  print(`\n${installation.name}, ${(duration_ms / 60_000).toFixed(1)} minutes, ${CLIENTS} clients`);
  const load = await startMixedLoad(installation.apis, CLIENTS);
  await sleep(duration_ms * WARM_UP);
  const before = await installation.readTableSizes();
  await watchGrowth(installation, duration_ms * STEADY);
  const exit_codes = await restartProcesses(installation, duration_ms * (1 - WARM_UP - STEADY));
  await load.stop();
  await checkEnd(installation, load);
  const tables = Object.entries(await installation.readTableSizes());
  for (const [name, mib] of tables)
    print(`  ${name.padEnd(36)} ${mib.toFixed(1)} MiB, +${(mib - (before[name] ?? 0)).toFixed(1)}`);
  print(`  ${load.requests()} requests, ${load.created.length} generations, ${load.unavailable()} without service`);
  check(
    `${exit_codes.length} ordered stops ended with 0`,
    exit_codes.every((code) => code === 0),
  );
  check('every response is a success, 409 or 503', load.problems.length === 0);
  for (const problem of load.problems.slice(0, 5)) print(`    ${problem}`);
}

async function watchGrowth(installation: Installation, duration_ms: number): Promise<void> {
  const samples: Sample[] = [];
  const over = new AbortController();
  const sampling = (async () => {
    for (; !over.signal.aborted; await sleep(SAMPLE_EVERY_MS)) samples.push(await takeSample(installation));
  })();
  await repeatFor(duration_ms, FAULT_EVERY_MS, async (turn) => {
    await installation.faults[turn % installation.faults.length]?.cause();
  });
  over.abort();
  await sampling;
  for (const { name, read, slack } of GROWTH) {
    const [first, last] = compareEnds(samples, read);
    check(`${name}: ${Math.round(first)}, then ${Math.round(last)}`, last <= first * MAX_GROWTH + slack);
  }
  print(`  event-loop lag, p99: at most ${Math.round(Math.max(...samples.map(({ lag_ms }) => lag_ms)))} ms`);
  for (const { name } of installation.faults) print(`  fault: ${name}`);
}

/** @returns the exit codes of ordered stops */
async function restartProcesses({ processes, start }: Installation, duration_ms: number): Promise<(number | null)[]> {
  const exit_codes: (number | null)[] = [];
  await repeatFor(duration_ms, SAMPLE_EVERY_MS, async (turn) => {
    const service = processes[turn % processes.length];
    if (!service) return;
    const is_kill = turn % 3 === 2;
    const exit_code = await service.stop(is_kill ? 'SIGKILL' : 'SIGTERM');
    if (!is_kill) exit_codes.push(exit_code);
    if (!is_kill && exit_code !== 0) print(service.output().slice(-2_000));
    await start(service);
  });
  return exit_codes;
}

async function checkEnd(installation: Installation, { created }: MixedLoad): Promise<void> {
  const [first] = installation.apis;
  if (!first) return;
  const until_ms = Date.now() + END_WITHIN_MS;
  const open = new Set(created);
  while (open.size > 0 && Date.now() < until_ms) {
    for (const id of open) {
      const { status } = await first.get<Generation>(`/v1/generations/${id}`);
      if (!isActive(status)) open.delete(id);
    }
    await sleep(1_000);
  }
  check('every acknowledged generation has ended', open.size === 0);
  const { ok } = await call<Verification>({ url: first.url(''), key: first.key }, 'GET', '/v1/billing/verification');
  check('the ledger verifies', ok);
  print(`  ${await installation.countTempFolders()} temp folders of killed processes are left`);
}

const minutes = Number(process.argv[2] ?? 20);
if (!(minutes >= 1 && minutes <= 10_000)) throw new RangeError('Give a number of minutes, from 1.');
for (const open of [openEmbedded, openOnPostgres]) {
  const installation = await open();
  if (!installation) {
    print('\nPostgreSQL: not run, because initdb is not installed');
    continue;
  }
  try {
    await soak(installation, (minutes * 60_000) / 2);
  } finally {
    await installation.close();
  }
}
process.exitCode = holds_all ? 0 : 1;
