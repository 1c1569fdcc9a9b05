import { readdir, readFile } from 'node:fs/promises';
import type { ServiceProcess } from '#server/app/testing/service-process.ts';
import { median } from '../bench/load.ts';
import { METRICS_TOKEN, type Installation } from './installation.ts';

export interface Sample {
  /** Of all processes of the service together. */
  residentMib: number;
  descriptors: number;
  tempFolders: number;
  /** The longest of the processes, p99. */
  lagMs: number;
}

/** By how much the end may exceed the beginning, after the warm-up. */
interface Growth {
  name: string;
  read: (sample: Sample) => number;
  factor: number;
  /** What a collection of garbage may leave, and work and connections (20 in the pools of a process) that come and go. */
  slack: number;
}

export const GROWTH: readonly Growth[] = [
  { name: 'resident memory, MiB', read: ({ residentMib }) => residentMib, factor: 1.2, slack: 64 },
  { name: 'descriptors', read: ({ descriptors }) => descriptors, factor: 1.2, slack: 64 },
  { name: 'temp folders', read: ({ tempFolders }) => tempFolders, factor: 1.2, slack: 8 },
  // It depends on what else the machine does.
  { name: 'event-loop lag, p99, ms', read: ({ lagMs }) => lagMs, factor: 2, slack: 1_000 },
];

/** Reads what must not grow. A process that is not running counts as nothing. */
export async function takeSample({ processes, countTempFolders }: Installation): Promise<Sample> {
  const pids = processes.flatMap((service) => service.pid() ?? []);
  const [resident, descriptors, lags, tempFolders] = await Promise.all([
    Promise.all(pids.map(readResident)),
    Promise.all(pids.map(countDescriptors)),
    Promise.all(processes.map(readLag)),
    countTempFolders(),
  ]);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    residentMib: sum(resident),
    descriptors: sum(descriptors),
    tempFolders,
    lagMs: Math.max(0, ...lags),
  };
}

const countDescriptors = async (pid: number) => (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;

async function readResident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

async function readLag(service: ServiceProcess): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await fetch(service.url('/metrics'), { headers }).then(
    (response) => response.text(),
    () => '',
  );
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1] ?? 0) * 1000;
}

/** @returns the medians of the four quarters of the samples */
export function readQuarters(samples: readonly Sample[], read: (sample: Sample) => number): number[] {
  const size = Math.max(1, samples.length / 4);
  const quarters = [0, 1, 2, 3].map((quarter) =>
    samples.slice(Math.floor(quarter * size), Math.ceil((quarter + 1) * size)),
  );
  return quarters.filter(({ length }) => length > 0).map((quarter) => median(quarter.map(read)));
}
