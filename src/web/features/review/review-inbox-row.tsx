import { Link } from '@tanstack/react-router';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/ui/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';

export function ReviewInboxRow({ generation, isOpen }: { generation: Generation; isOpen: boolean }) {
  const { id, task, model, input, error, updated_at, usage, created_by } = generation;
  return (
    <li
      className={cx(
        'relative px-4 py-3 transition-colors hover:bg-hover has-[a:focus-visible]:bg-hover',
        isOpen && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
      )}
    >
      <div className="flex items-baseline gap-4">
        <Link
          to="/review/$id"
          params={{ id }}
          resetScroll={false}
          replace={isOpen}
          aria-current={isOpen || undefined}
          dir="auto"
          className="min-w-0 flex-1 truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          {summarizeInput(task, model, input)}
        </Link>
        <Money amount_usd={usage.amount_usd} cents="up" className="text-sm" />
      </div>
      {error ? <p className="mt-0.5 line-clamp-2 text-sm text-ink-2">{error.message}</p> : null}
      <p className="mt-1 flex flex-wrap gap-x-2 text-xs text-ink-3">
        <span>{model ? `${TASKS[task].name} · ${MODEL_NAMES[model]}` : TASKS[task].name}</span>
        <span>Requested by {created_by.name}</span>
        <span>
          Sent to review <RelativeTime at={updated_at} />
        </span>
      </p>
    </li>
  );
}
