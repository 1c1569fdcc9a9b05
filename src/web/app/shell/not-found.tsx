import { Link } from '@tanstack/react-router';
import { Aperture } from 'lucide-react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found" width="reading">
      <EmptyState
        icon={<Aperture aria-hidden="true" />}
        title="This page does not exist"
        actions={
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            Go to Create
          </Link>
        }
      >
        The link may be outdated or incomplete.
      </EmptyState>
    </Page>
  );
}
