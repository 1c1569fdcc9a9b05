import type { ReactNode } from 'react';
import { ApiError, NetworkError, queryError, type QueryStatus } from './api-errors.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorState } from '#web/ui/display/empty-state.tsx';

export interface LoadErrorProps {
  /** Completes "… could not be loaded": "Your keys". */
  what: string;
  error: unknown;
  onRetry: () => void;
  className?: string;
}

export function LoadError({ what, error, onRetry, className }: LoadErrorProps) {
  const refused = error instanceof ApiError;
  const unreachable = error instanceof NetworkError;
  return (
    <ErrorState
      title={`${what} could not be loaded`}
      offline={unreachable}
      requestId={refused ? (error.request_id ?? undefined) : undefined}
      className={className}
      actions={
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {refused || unreachable ? error.message : 'Something went wrong on this page. Nothing was changed.'}
    </ErrorState>
  );
}

interface LoadingOrErrorProps extends Pick<LoadErrorProps, 'what'> {
  query: QueryStatus & { refetch: () => unknown };
  /** Shown while it loads. */
  children: ReactNode;
}

/** In place of what a query has not loaded. */
export function LoadingOrError({ query, what, children }: LoadingOrErrorProps) {
  const problem = queryError(query);
  return problem ? <LoadError what={what} error={problem} onRetry={() => void query.refetch()} /> : children;
}
