import { Link } from '@tanstack/react-router';
import { Aperture } from 'lucide-react';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <Page title="Page not found" width="reading">
      <EmptyState
        icon={<Aperture aria-hidden="true" />}
        title="There is nothing at this address"
        actions={
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            Go to Create
          </Link>
        }
      >
        The link may be old, or a letter is missing.
      </EmptyState>
    </Page>
  );
}
