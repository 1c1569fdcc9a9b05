import { readdir, readFile } from 'node:fs/promises';
import type { ServiceProcess } from '#server/testing/service-process.ts';
import { median } from '../bench/load.ts';
import { METRICS_TOKEN, type Installation } from './installation.ts';

export interface Sample {
  /** Of all processes of the service together. */
  resident_mib: number;
  descriptors: number;
  temp_folders: number;
  /** The longest of the processes, p99. */
  lag_ms: number;
}

/** Reads what must not grow. A process that is not running counts as nothing. */
export async function takeSample({ processes, countTempFolders }: Installation): Promise<Sample> {
  const pids = processes.flatMap((service) => service.pid() ?? []);
  const [resident, descriptors, lags, temp_folders] = await Promise.all([
    Promise.all(pids.map(readResident)),
    Promise.all(pids.map(countDescriptors)),
    Promise.all(processes.map(readLag)),
    countTempFolders(),
  ]);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    resident_mib: sum(resident),
    descriptors: sum(descriptors),
    temp_folders,
    lag_ms: Math.max(0, ...lags),
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

/** Compares the first quarter of the samples with the last one, by median. */
export function compareEnds(
  samples: readonly Sample[],
  read: (sample: Sample) => number,
): [first: number, last: number] {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  return [median(samples.slice(0, quarter).map(read)), median(samples.slice(-quarter).map(read))];
}
