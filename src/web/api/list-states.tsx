import type { ReactNode } from 'react';
import { LoadError } from './load-error.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Refreshing } from '#web/ui/display/refreshing.tsx';

export interface ListStatesProps {
  list: {
    rows: readonly unknown[];
    isLoading: boolean;
    isStale: boolean;
    problem: unknown;
    moreFailed: boolean;
    loadMore: () => void;
    reload: () => void;
  };
  /** Subject of the error when nothing could be loaded ("Your generations"), and when further rows could not. */
  what: string;
  older: string;
  loading: ReactNode;
  empty: ReactNode;
  children: ReactNode;
}

/** Shows a list that is loaded page by page, or its skeleton, empty state or error. */
export function ListStates({ list, what, older, loading, empty, children }: ListStatesProps) {
  if (list.isLoading) return loading;
  if (list.rows.length === 0)
    return list.problem ? <LoadError what={what} error={list.problem} onRetry={list.reload} /> : empty;
  return (
    <Refreshing active={list.isStale}>
      {list.problem && !list.moreFailed ? (
        <div className="mb-3">
          <StaleNotice title="This list may be out of date" error={list.problem} onRetry={list.reload} />
        </div>
      ) : null}
      {children}
      {list.moreFailed ? <LoadError what={older} error={list.problem} onRetry={list.loadMore} /> : null}
    </Refreshing>
  );
}

export function StaleNotice({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  return (
    <Callout
      tone="amber"
      title={title}
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {error instanceof Error ? error.message : null}
    </Callout>
  );
}
