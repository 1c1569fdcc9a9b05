import type { AnyRouter } from '@tanstack/react-router';

/** The first page and what it reads come first. */
const START_DELAY_MS = 4_000;
const IDLE_FALLBACK_MS = 200;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * Loads the scripts of all pages one after the other while nothing else happens, so that moving about needs no service. Not
 * on a connection that is slow or metered.
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

/** Resolves once the page has nothing else to do. Safari cannot tell. */
const whenIdle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve());
    else setTimeout(resolve, IDLE_FALLBACK_MS);
  });
