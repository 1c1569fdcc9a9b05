import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { isServiceReachable, clearReloadMark, isScriptMissing, reloadOnce } from './recover-script.ts';

const RETRY_EVERY_MS = 3_000;

type LoadState = 'ready' | 'loading' | 'unreachable' | 'missing';

export interface LazyPage {
  (): ReactNode;
  /** Loads the page's script. A failure is shown where the page would be. */
  preload: () => Promise<void>;
}

/**
 * Creates the component of a route whose script loads when it is first needed. TanStack's `lazyRouteComponent` reloads
 * the document when that fails; while the service is down, the browser's error page then replaces the app.
 * @param kind a panel is part of a page, which has the heading
 */
export function lazyPage<K extends string>(
  load: () => Promise<Record<K, ComponentType>>,
  name: K,
  kind: 'page' | 'panel' = 'page',
): LazyPage {
  let Loaded: ComponentType | null = null;
  let hasFailed = false;
  /** The script was loaded and threw an error. */
  let fault: { error: unknown } | null = null;
  let loading: Promise<void> | null = null;

  const loadOnce = async () => {
    try {
      Loaded = (await load())[name];
      clearReloadMark(name);
    } catch (error) {
      if (isScriptMissing(error)) hasFailed = true;
      else fault = { error };
      loading = null;
    }
  };
  const preload = () => (loading ??= loadOnce());

  /** @returns null while the document is being reloaded */
  const loadAgain = async (): Promise<LoadState | null> => {
    if (!hasFailed) await preload();
    if (Loaded || fault) return 'ready';
    if (!(await isServiceReachable())) return 'unreachable';
    await preload();
    if (Loaded || fault) return 'ready';
    return reloadOnce(name) ? null : 'missing';
  };

  function LazyPage() {
    const [state, setState] = useState<LoadState>(Loaded ? 'ready' : 'loading');
    useEffect(() => {
      if (state === 'ready' || state === 'missing') return;
      let isGone = false;
      let isBusy = false;
      const attempt = async () => {
        if (isBusy) return;
        isBusy = true;
        const next = await loadAgain();
        isBusy = false;
        if (!isGone && next) setState(next);
      };
      const retry = () => void attempt();
      retry();
      const timer = setInterval(retry, RETRY_EVERY_MS);
      window.addEventListener('online', retry);
      return () => {
        isGone = true;
        clearInterval(timer);
        window.removeEventListener('online', retry);
      };
    }, [state]);
    if (Loaded) return <Loaded />;
    // The route's error component shows it.
    if (fault) throw fault.error;
    if (state === 'loading') return <PageSkeleton />;
    const isMissing = state === 'missing';
    const problem = <LoadProblem isMissing={isMissing} />;
    if (kind === 'panel') return problem;
    return (
      <Page title={isMissing ? 'Emulsion was updated' : 'The service can’t be reached'} width="reading">
        {problem}
      </Page>
    );
  }
  LazyPage.preload = preload;
  return LazyPage;
}

/** Of a page whose script did not load; while the service is down, it is tried again. */
const LoadProblem = ({ isMissing }: { isMissing: boolean }) => (
  <ErrorState
    title="This page could not be loaded"
    offline={!isMissing}
    actions={
      isMissing ? (
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      ) : null
    }
  >
    {isMissing ? 'Reload to get the current version' : 'The page loads automatically once the service responds'}. What
    you typed is still here.
  </ErrorState>
);
