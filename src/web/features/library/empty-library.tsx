import { Link } from '@tanstack/react-router';
import { LibraryBig } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { ShowEverybodyButton } from '#web/collections/made-by-filter.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

interface EmptyLibraryProps {
  canCreate: boolean;
  /** null: the list shows everybody's already. */
  onShowEverybody: (() => void) | null;
}

export function EmptyLibrary({ canCreate, onShowEverybody }: EmptyLibraryProps) {
  return (
    <EmptyState
      icon={<LibraryBig aria-hidden="true" />}
      title={onShowEverybody ? 'You have no media yet' : 'No media yet'}
      actions={
        <>
          {canCreate ? (
            <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
              Create something
            </Link>
          ) : null}
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      {onShowEverybody
        ? 'What you upload or create appears here.'
        : canCreate
          ? 'Everything you and your team upload or create appears here.'
          : 'Everything your team uploads or creates appears here.'}
    </EmptyState>
  );
}
