import type { ServiceProcess } from '#server/app/testing/service-process.ts';
import type { Installation } from './installation.ts';

export interface OrderedStop {
  exitCode: number | null;
  tookMs: number;
  /** The end of what the process has printed. */
  output: string;
}

/** Every third stop is a kill. */
const KILL_EVERY = 3;
const OUTPUT_LENGTH = 2_000;

/** Stops and starts one process after the other until `untilMs`. @returns the ordered stops */
export async function restartUntil(
  untilMs: number,
  { processes, start }: Pick<Installation, 'processes' | 'start'>,
): Promise<OrderedStop[]> {
  const stops: OrderedStop[] = [];
  for (let turn = 0; Date.now() < untilMs; turn += 1) {
    const service = processes[turn % processes.length];
    if (!service) break;
    if (turn % KILL_EVERY === KILL_EVERY - 1) await service.stop('SIGKILL');
    else stops.push(await stopInOrder(service));
    await startPatiently(service, start);
  }
  return stops;
}

/** A busy machine may need longer than a start of the tests waits. */
async function startPatiently(service: ServiceProcess, start: Installation['start']): Promise<void> {
  try {
    await start(service);
  } catch {
    process.stdout.write(`         a start took too long and is repeated: ${service.url('/readyz')}\n`);
    await service.stop('SIGKILL');
    await start(service);
  }
}

export const stopAll = ({ processes }: Pick<Installation, 'processes'>): Promise<OrderedStop[]> =>
  Promise.all(processes.map(stopInOrder));

async function stopInOrder(service: ServiceProcess): Promise<OrderedStop> {
  const startedMs = Date.now();
  const exitCode = await service.stop('SIGTERM');
  return { exitCode, tookMs: Date.now() - startedMs, output: service.output().slice(-OUTPUT_LENGTH) };
}
