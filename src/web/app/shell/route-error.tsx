import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';

export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const hasResponse = error instanceof ApiError;
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
        requestId={hasResponse ? (error.request_id ?? undefined) : undefined}
        actions={
          <>
            <Button variant="primary" onClick={retry}>
              Try again
            </Button>
            <Button onClick={() => window.location.reload()}>Reload the app</Button>
          </>
        }
      >
        {hasResponse || offline
          ? error.message
          : 'An unexpected error occurred. Running generations continue, and nothing is charged twice. If trying again does not help, reload the app.'}
      </ErrorState>
    </Page>
  );
}
