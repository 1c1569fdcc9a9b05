import { useQueries } from '@tanstack/react-query';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import { isActive } from '#contract/statuses.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { useModelName } from '#web/api/model-names.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { isPreviewResult, ENGINE_LABELS } from '#web/forms/engine-labels.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/api/money.tsx';
import { CancelAllButton } from '../cancel-all-button.tsx';
import { RequestedRun } from '../requested-run.tsx';
import { RunProblemView } from '../run-problem-view.tsx';
import type { Run } from '../runs.ts';
import { useComparison } from '../use-comparison.ts';
import { VariationCell } from './variation-cell.tsx';

/** The results of one press of Generate, which started together or not at all. */
export function VariationGroup({ runs }: { runs: readonly Run[] }) {
  const [first] = runs;
  if (!first) return null;
  if (first.problem) return <RunProblemView run={first} problem={first.problem} group={runs} />;
  if (first.request_id !== undefined && first.generation_id === null)
    return <RequestedRun run={first} request_id={first.request_id} group={runs} />;
  return <VariationGrid runs={runs} />;
}

function VariationGrid({ runs }: { runs: readonly Run[] }) {
  const generations = useQueries({
    queries: runs.map(({ generation_id }) => ({
      ...generationQuery(generation_id ?? ''),
      enabled: generation_id !== null,
      notifyOnChangeProps: ['data' as const],
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const comparison = useComparison();
  const discarded = new Set(generations.filter(isDiscarded).map(({ id }) => id));
  const shown = runs.flatMap((run, at) =>
    run.generation_id !== null && discarded.has(run.generation_id) ? [] : [{ run, number: at + 1 }],
  );
  const max_height = runs.length > 2 ? 'max(9rem, (100dvh - 27rem) / 2)' : '56dvh';
  return (
    <section aria-label={`${runs.length} variations`} className="flex min-w-0 flex-col gap-4">
      <GroupHeader runs={runs} generations={generations} />
      {shown.length === 0 ? <p className="text-sm text-ink-2">All results are in the trash.</p> : null}
      <ul className={cx('grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-5', runs.length > 4 && 'xl:grid-cols-4 xl:gap-x-3')}>
        {shown.map(({ run, number }) => (
          <li key={run.id} aria-label={`Variation ${number}`} className="min-w-0">
            <VariationCell run={run} number={number} max_height={max_height} comparison={comparison} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const isDiscarded = ({ status, output }: Generation): boolean =>
  status === 'succeeded' && output.assets.length > 0 && output.assets.every(({ removed_at }) => removed_at);

function GroupHeader({ runs, generations }: { runs: readonly Run[]; generations: readonly Generation[] }) {
  const nameModel = useModelName();
  const names = useCatalogNames();
  const { task, model, input } = runs[0]?.order.body ?? { task: '', model: null, input: {} };
  const name = model && isModelId(model) ? nameModel(model) : isTaskId(task) ? names.task(task) : task;
  const prompt = input['prompt'];
  const total = generations.reduce(
    (sum, { usage }) => sum + (usage.billing_status === 'released' ? 0n : parseUsd(usage.amount_usd)),
    0n,
  );
  const done = generations.filter(({ status }) => !isActive(status)).length;
  const is_preview = generations.some(isPreviewResult);
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 truncate font-semibold">{name}</h2>
        {is_preview ? <Badge hint={ENGINE_LABELS.preview.description}>{ENGINE_LABELS.preview.label}</Badge> : null}
        <span className="text-sm text-ink-3 tabular-nums" aria-live="polite">
          {done < runs.length ? `${done} of ${runs.length} done` : `${runs.length} results`}
        </span>
        <span className="ml-auto flex items-center gap-3 text-sm text-ink-3">
          <Money amount_usd={formatUsd(total)} />
          <CancelAllButton generations={generations} batch_id={runs[0]?.batch_id} />
        </span>
      </div>
      {typeof prompt === 'string' ? (
        <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-ink-2">
          {prompt}
        </p>
      ) : null}
    </header>
  );
}
