import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A request or a shutdown passes through several processes, each of which a busy machine makes late. */
const DELAYS = 10;

/** Measures how late this machine makes timers. @returns milliseconds by which it may exceed a limit of the service */
export function measureMachineDelay(): () => number {
  const delay = monitorEventLoopDelay();
  delay.enable();
  return () => (DELAYS * delay.max) / 1_000_000;
}
