import { Link } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** Nothing has been made yet. */
export function NoGenerations() {
  return (
    <EmptyState
      icon={<Images aria-hidden="true" />}
      title="No generations yet"
      actions={
        <>
          <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
            Create something
          </Link>
          <Link to="/models" className={buttonClass()}>
            See models and prices
          </Link>
        </>
      }
    >
      Everything you and your team create appears here with its cost. You see the price before you start.
    </EmptyState>
  );
}
