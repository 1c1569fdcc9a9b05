import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { CloudOff } from 'lucide-react';
import { Button } from './controls/button.tsx';

export interface LazyComponent<P> {
  (props: P & { fallback?: ReactNode }): ReactNode;
  preload: () => void;
}

/** Unlike with `lazy`, a failure (offline, for instance) shows `Failed` in its place, with a retry. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Failed: ComponentType<{ onRetry: () => void }> = LoadFailedNotice,
): LazyComponent<P> {
  let Loaded: ComponentType<P> | null = null;
  let loading: Promise<unknown> | null = null;
  const fetchOnce = () =>
    (loading ??= load().then(
      (component) => void (Loaded = component),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    ));

  function Lazy({ fallback, ...props }: P & { fallback?: ReactNode }) {
    const [state, setState] = useState<'loading' | 'failed' | 'ready'>(Loaded ? 'ready' : 'loading');
    useEffect(() => {
      let unmounted = false;
      const settle = (next: 'failed' | 'ready') => () => {
        if (!unmounted) setState(next);
      };
      if (state === 'loading') fetchOnce().then(settle('ready'), settle('failed'));
      return () => {
        unmounted = true;
      };
    }, [state]);
    // The rest of the props is P again, which the compiler cannot infer.
    if (Loaded) return <Loaded {...(props as unknown as P)} />;
    return state === 'failed' ? <Failed onRetry={() => setState('loading')} /> : fallback;
  }
  Lazy.preload = () => {
    fetchOnce().catch(() => undefined);
  };
  return Lazy;
}

function LoadFailedNotice({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 p-3 text-sm text-ink-2">
      <CloudOff aria-hidden="true" className="size-4 text-ink-3" />
      This part could not be loaded. Nothing is lost.
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
      <Button size="sm" variant="ghost" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </p>
  );
}
