import { Link } from '@tanstack/react-router';
import { TASKS } from '#contract/catalog.ts';
import type { CreateSelection } from './create-selection.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** An address that leads nowhere. */
export function UnknownModel({
  choice: { title, text, task },
}: {
  choice: Extract<CreateSelection, { kind: 'lost' }>;
}) {
  return (
    <EmptyState
      title={title}
      actions={
        <Link {...createPageLink(task)} className={buttonClass({ variant: 'primary' })}>
          {task ? TASKS[task].name : 'Start over'}
        </Link>
      }
    >
      {text}
    </EmptyState>
  );
}
