import { Link } from '@tanstack/react-router';
import { LibraryBig } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** Nothing was uploaded or made yet. */
export function EmptyLibrary() {
  return (
    <EmptyState
      icon={<LibraryBig aria-hidden="true" />}
      title="Nothing here yet"
      actions={
        <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
          Create something
        </Link>
      }
    >
      Every image, video and sound that you or your team uploads or creates appears here.
    </EmptyState>
  );
}

/** The service that answers has no library. */
export function LibraryUnsupported() {
  return (
    <EmptyState
      icon={<LibraryBig aria-hidden="true" />}
      title="This service keeps no library"
      actions={
        <Link to="/generations" search={{ view: 'gallery' }} className={buttonClass()}>
          See generations
        </Link>
      }
    >
      Find its results under Generations.
    </EmptyState>
  );
}
