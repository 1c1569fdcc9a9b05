import { readdir, readFile, writeFile } from 'node:fs/promises';

const SAMPLE_EVERY_MS = 50;

/** The service is the only child of this process while it measures. */
export async function servicePid(): Promise<string> {
  const [pid, ...others] = await childrenOf(String(process.pid));
  if (pid === undefined || others.length > 0) throw new Error('The process of the service was not found.');
  return pid;
}

async function childrenOf(pid: string): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter((each) => each.trim() !== ''));
}

async function readMib(pid: string, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
}
const residentMib = (pid: string): Promise<number> => readMib(pid, 'VmRSS');

/** @returns a child of this process by its command */
export async function findChild(command: string): Promise<string | undefined> {
  for (const pid of await childrenOf(String(process.pid)))
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(command)) return pid;
  return undefined;
}

export interface PeakMemory {
  /** By how much resident memory has grown at its peak. The kernel counts, so nothing is missed. */
  grownMib(): Promise<number>;
}

export async function watchPeak(pid: string): Promise<PeakMemory> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await residentMib(pid);
  return { grownMib: async () => (await readMib(pid, 'VmHWM')) - before };
}

/** Resident memory; the children are all processes that the service has started, also by others. */
export interface Memory {
  serviceMib: number;
  childrenMib: number;
  sumMib: number;
}

export async function readMemory(pid: string): Promise<Memory> {
  const [serviceMib, sumMib] = await Promise.all([residentMib(pid), residentTreeMib(pid)]);
  return { serviceMib, childrenMib: sumMib - serviceMib, sumMib };
}

/** @returns the highest of each figure while `work` runs */
export async function watchMemory(pid: string, work: () => Promise<void>): Promise<Memory> {
  const peak = await readMemory(pid);
  const done = new AbortController();
  const sampling = (async () => {
    while (!done.signal.aborted) {
      const memory = await readMemory(pid);
      for (const part of ['serviceMib', 'childrenMib', 'sumMib'] as const)
        peak[part] = Math.max(peak[part], memory[part]);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
    }
  })();
  await work().finally(() => done.abort());
  await sampling;
  return peak;
}

async function residentTreeMib(pid: string): Promise<number> {
  const children = await childrenOf(pid);
  const all = await Promise.all([residentMib(pid), ...children.map(residentTreeMib)]);
  return all.reduce((sum, each) => sum + each, 0);
}

/**
 * Measures by how much resident memory grows at its peak while `work` runs, in MiB, over the service alone.
 * @param options.withChildren counts every process that the service starts, also those it has already
 */
export async function memoryGrowth(
  pid: string,
  work: () => Promise<void>,
  { withChildren = false }: { withChildren?: boolean } = {},
): Promise<number> {
  const read = withChildren ? residentTreeMib : residentMib;
  const before = await residentMib(pid);
  let peak = before;
  let sampling = Promise.resolve();
  const timer = setInterval(() => {
    sampling = sampling.then(async () => void (peak = Math.max(peak, await read(pid))));
  }, SAMPLE_EVERY_MS);
  await work().finally(() => clearInterval(timer));
  await sampling;
  return peak - before;
}
