import { Link } from '@tanstack/react-router';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import type { PrefillState } from './use-prefill.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

/** The form's shape while an earlier generation is read to fill it in; or why that failed. */
export function PrefillStatus({ prefill, signed_in }: { prefill: PrefillState; signed_in: boolean }) {
  const away = (
    <Link to="/create/{-$task}/{-$model}" params={(now) => now} search={{}} className={buttonClass()}>
      Continue without it
    </Link>
  );
  if (!signed_in)
    return (
      <EmptyState
        title="Sign in to reuse earlier work"
        actions={[<SignInLink key="in" />, <span key="away">{away}</span>]}
      >
        This link refers to media or settings that only signed-in people can see.
      </EmptyState>
    );
  if (prefill.state === 'failed') {
    const { error } = prefill;
    const gone = error instanceof ApiError && error.status === 404;
    return (
      <ErrorState
        title={gone ? 'Nothing to reuse' : 'The earlier work could not be loaded'}
        offline={error instanceof NetworkError}
        actions={
          <>
            {gone ? null : <Button onClick={prefill.retry}>Try again</Button>}
            {away}
          </>
        }
      >
        {gone ? 'It may have been deleted, or belong to another organization.' : 'Your draft is still here.'}
      </ErrorState>
    );
  }
  return (
    <Loading label="Filling in the form" className="flex flex-col gap-6">
      <Skeleton className="h-14 rounded-md" />
      <span className="flex flex-col gap-2">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-28 rounded-md" />
      </span>
      <span className="flex flex-col gap-2">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-34 rounded-md" />
      </span>
      <Skeleton className="h-11 rounded-md" />
    </Loading>
  );
}
