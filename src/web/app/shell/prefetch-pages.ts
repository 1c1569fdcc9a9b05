import type { AnyRouter } from '@tanstack/react-router';

/** Leaves the connection to the first page and its requests. */
const START_DELAY_MS = 4_000;
const IDLE_FALLBACK_MS = 200;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * Loads the scripts of all pages one by one while the browser is idle, so that navigation does not need the service.
 * Skipped on a slow or metered connection.
 */
export function prefetchPages({ routesById }: Pick<AnyRouter, 'routesById'>): void {
  const { connection } = navigator as Navigator & { connection?: Connection };
  if (connection?.saveData || connection?.effectiveType?.endsWith('2g')) return;
  const pages: ({ preload?: () => Promise<void> } | undefined)[] = Object.values(routesById).map(
    (route) => route.options.component,
  );
  const loadAll = async () => {
    for (const page of pages) {
      await whenIdle();
      await page?.preload?.();
    }
  };
  setTimeout(() => void loadAll(), START_DELAY_MS);
}

/** Resolves when the browser is idle. Safari lacks `requestIdleCallback`. */
const whenIdle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve());
    else setTimeout(resolve, IDLE_FALLBACK_MS);
  });
