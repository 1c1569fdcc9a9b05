import { Link } from '@tanstack/react-router';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import type { PrefillState } from './use-prefill.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

export function PrefillStatus({ prefill, signed_in }: { prefill: PrefillState; signed_in: boolean }) {
  const skipLink = (
    <Link to="/create/{-$task}/{-$model}" params={(current) => current} search={{}} className={buttonClass()}>
      Continue without it
    </Link>
  );
  if (!signed_in)
    return (
      <EmptyState
        title="Sign in to reuse this"
        actions={[<SignInLink key="sign-in" />, <span key="skip">{skipLink}</span>]}
      >
        The settings or media in this link require a signed-in session.
      </EmptyState>
    );
  if (prefill.state === 'failed') {
    const { error } = prefill;
    const not_found = error instanceof ApiError && error.status === 404;
    return (
      <ErrorState
        title={not_found ? 'Nothing to reuse' : 'The settings could not be loaded'}
        offline={error instanceof NetworkError}
        actions={
          <>
            {not_found ? null : <Button onClick={prefill.retry}>Try again</Button>}
            {skipLink}
          </>
        }
      >
        {not_found ? 'It may have been deleted, or belong to another organization.' : 'Your draft is still here.'}
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
