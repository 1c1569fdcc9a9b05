import { Link } from '@tanstack/react-router';
import { TASKS } from '#contract/catalog.ts';
import type { Choice } from './offer.ts';
import { createAddress } from '#web/shell/create-address.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** An address that leads nowhere. */
export function LostChoice({ choice: { title, text, task } }: { choice: Extract<Choice, { kind: 'lost' }> }) {
  return (
    <EmptyState
      title={title}
      actions={
        <Link {...createAddress(task)} className={buttonClass({ variant: 'primary' })}>
          {task ? TASKS[task].name : 'Start over'}
        </Link>
      }
    >
      {text}
    </EmptyState>
  );
}
