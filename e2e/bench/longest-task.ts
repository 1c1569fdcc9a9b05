import type { Page } from '@playwright/test';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds, which another process does not lengthen. */
  tdur?: number;
  args?: { name?: string };
}

/** The processor time of the longest task on the page's thread meanwhile. */
export async function longestTaskMs(page: Page, run: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('There is no browser to trace.');
  const devtools = await page.context().newCDPSession(page);
  // Otherwise the browser may collect what the page before has left.
  await devtools.send('HeapProfiler.collectGarbage');
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await run();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mainThreads = new Set(
    traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && mainThreads.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('The trace has no tasks.');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
