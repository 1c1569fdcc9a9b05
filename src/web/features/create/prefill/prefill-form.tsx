import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import { useRetryGeneration } from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { PrefillProgress, SkipLink } from './prefill-progress.tsx';
import { SaveLastFrame } from './save-last-frame.tsx';
import { usePrefill, type PrefillRequest, type PrefillState } from './use-prefill.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/display/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';

/** Fills the form in, and shows what happens until then. */
export function Prefill(request: PrefillRequest) {
  const { search, target, signedIn } = request;
  if (search.frame === 'last' && signedIn) return <SaveLastFrame search={search} target={target} />;
  return <PrefillFromSource {...request} />;
}

const PrefillFromSource = (request: PrefillRequest) => (
  <PrefillStatus prefill={usePrefill(request)} signedIn={request.signedIn} />
);

const isFrame = ({ task }: Generation) => task === 'video.extract_frame';

function Unusable({ generation }: { generation: Generation }) {
  const navigate = useNavigate();
  const { mutateAsync } = useRetryGeneration();
  const retry = useMutation({
    networkMode: 'always',
    mutationFn: () => mutateAsync({ id: generation.id, idempotency_key: newIdempotencyKey() }),
    onSuccess: ({ id }) =>
      navigate({
        to: '/create/{-$task}/{-$model}',
        params: (current) => current,
        search: (current) => ({ ...current, use: id }),
        replace: true,
      }),
  });
  const canRetry = isFrame(generation) && (generation.status === 'failed' || generation.status === 'canceled');
  return (
    <ErrorState
      title={isFrame(generation) ? 'The frame could not be saved' : 'There is nothing to continue with'}
      offline={retry.error instanceof NetworkError}
      actions={
        <>
          {canRetry ? (
            <Button busy={retry.isPending} onClick={() => retry.mutate()}>
              Try again
            </Button>
          ) : null}
          <SkipLink />
        </>
      }
    >
      {retry.error?.message ?? generation.error?.message} Your draft is still here.
    </ErrorState>
  );
}

function PrefillStatus({ prefill, signedIn }: { prefill: PrefillState; signedIn: boolean }) {
  if (!signedIn)
    return (
      <EmptyState title="Sign in to reuse this" actions={[<SignInLink key="sign-in" />, <SkipLink key="skip" />]}>
        The settings or media in this link require a signed-in session.
      </EmptyState>
    );
  const { generation } = prefill;
  if (prefill.state === 'unusable' && generation) return <Unusable generation={generation} />;
  if (generation && isActive(generation.status))
    return (
      <PrefillProgress label={isFrame(generation) ? 'Saving the frame…' : 'Generating…'} value={generation.progress} />
    );
  if (prefill.state === 'failed') {
    const { error } = prefill;
    const notFound = error instanceof ApiError && error.status === 404;
    return (
      <ErrorState
        title={notFound ? 'Nothing to reuse' : 'The settings could not be loaded'}
        offline={error instanceof NetworkError}
        actions={
          <>
            {notFound ? null : <Button onClick={prefill.retry}>Try again</Button>}
            <SkipLink />
          </>
        }
      >
        {notFound ? 'It may have been deleted, or belong to another organization.' : 'Your draft is still here.'}
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
