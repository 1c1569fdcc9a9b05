import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';

/** Instead of a page that could not be shown: the rest of the app stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const answered = error instanceof ApiError;
  const offline = error instanceof NetworkError;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="Something went wrong" width="reading">
      <ErrorState
        title="This page could not be shown"
        offline={offline}
        requestId={answered ? (error.request_id ?? undefined) : undefined}
        actions={
          <>
            <Button variant="primary" onClick={retry}>
              Try again
            </Button>
            <Button onClick={() => window.location.reload()}>Reload the app</Button>
          </>
        }
      >
        {answered || offline
          ? error.message
          : 'It ran into an error of its own. Generations under way go on, and nothing is charged twice. If trying again does not help, reload the app.'}
      </ErrorState>
    </Page>
  );
}
