import { useQuery } from '@tanstack/react-query';
import { useNavigate, Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { queryError } from '#web/api/api-errors.ts';
import { pendingReviewsQuery } from '#web/api/queries/review.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { ReviewInboxSkeleton } from './review-inbox-skeleton.tsx';
import type { Generation } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';

export function ReviewInbox({ openId }: { openId: string | undefined }) {
  const reviews = useQuery(pendingReviewsQuery);
  const navigate = useNavigate();
  const { data: generations } = reviews;
  const problem = queryError(reviews);
  const step = (by: 1 | -1) => {
    if (!generations) return;
    const at = generations.findIndex(({ id }) => id === openId);
    const next = generations[at === -1 ? 0 : at + by];
    if (next) void navigate({ to: '/review/$id', params: { id: next.id }, resetScroll: false });
  };
  useCommands([
    { group: 'Review', label: 'Next review', keys: 'j', hiddenInPalette: true, run: () => step(1) },
    { group: 'Review', label: 'Previous review', keys: 'k', hiddenInPalette: true, run: () => step(-1) },
  ]);
  if (!generations)
    return problem ? (
      <LoadError what="Reviews" error={problem} onRetry={() => void reviews.refetch()} />
    ) : (
      <ReviewInboxSkeleton />
    );
  if (generations.length === 0)
    return (
      <EmptyState icon={<CircleCheck aria-hidden="true" />} title="No generations to review">
        Generations with an unclear outcome appear here, for example after a lost response from a provider. Their price
        stays reserved until a decision.
      </EmptyState>
    );
  return (
    <div>
      {openId === undefined ? <h2 className="mb-3 text-md font-semibold">Generations</h2> : null}
      <ul
        aria-label="Needs review"
        className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
      >
        {generations.map((generation) => (
          <ReviewInboxRow key={generation.id} generation={generation} isOpen={generation.id === openId} />
        ))}
      </ul>
    </div>
  );
}

function ReviewInboxRow({ generation, isOpen }: { generation: Generation; isOpen: boolean }) {
  const names = useCatalogNames();
  const { id, task, model, error, updated_at, usage, created_by } = generation;
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
          {summarizeInput(generation, names)}
        </Link>
        <Money amount_usd={usage.amount_usd} className="text-sm" />
      </div>
      {error ? <p className="mt-0.5 line-clamp-2 text-sm text-ink-2">{error.message}</p> : null}
      <p className="mt-1 flex flex-wrap gap-x-2 text-xs text-ink-3">
        <span>{model ? `${names.task(task)} · ${names.model(model)}` : names.task(task)}</span>
        <span>
          Requested by <bdi>{created_by.name}</bdi>
        </span>
        <span>
          Sent to review <RelativeTime at={updated_at} />
        </span>
      </p>
    </li>
  );
}
