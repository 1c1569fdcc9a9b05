import type { Deps } from '#server/platform/deps.ts';

export function repeatEvery({ log }: Deps, interval_ms: number, chore: () => Promise<unknown>): () => Promise<void> {
  let under_way: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    under_way ??= chore()
      .catch((error: unknown) => log.error({ err: error }, 'worker task failed'))
      .finally(() => {
        under_way = undefined;
      });
  }, interval_ms).unref();
  return async () => {
    clearInterval(timer);
    await under_way;
  };
}
