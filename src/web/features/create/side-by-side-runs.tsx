import { useQueries } from '@tanstack/react-query';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useModelName } from '#web/api/model-names.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { Callout } from '#web/ui/callout.tsx';
import { Money } from '#web/api/money.tsx';
import { CancelAllButton } from './cancel-all-button.tsx';
import { GenerationRunView } from './generation-run-view.tsx';
import type { Run } from './runs.ts';
import { useComparison } from './use-comparison.ts';

export function SideBySideRuns({ runs }: { runs: readonly Run[] }) {
  const nameModel = useModelName();
  const names = useCatalogNames();
  const comparison = useComparison();
  const runName = ({ order: { body } }: Run): string => {
    if (body.model && isModelId(body.model)) return nameModel(body.model);
    return isTaskId(body.task) ? names.task(body.task) : body.task;
  };
  const ids = runs.flatMap(({ generation_id }) => generation_id ?? []);
  const generations = useQueries({
    queries: ids.map((id) => ({ ...generationQuery(id), notifyOnChangeProps: ['data' as const] })),
  });
  // Those that are being sent have no id to cancel yet.
  const are_sent = runs.every(({ generation_id, problem }) => generation_id !== null || problem !== null);
  const prompt = runs[0]?.order.body.input['prompt'];
  // Four results fit a window of 900 pixels.
  const max_height = runs.length > 2 ? 'max(9rem, (100dvh - 27rem) / 2)' : '56dvh';
  const failedRuns = runs.filter(({ problem }) => problem !== null);
  const total = generations.reduce(
    (sum, { data }) => sum + (data && data.usage.billing_status !== 'released' ? parseUsd(data.usage.amount_usd) : 0n),
    0n,
  );
  return (
    <section aria-label="Side by side" className="flex min-w-0 flex-col gap-4">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        <span className="font-semibold text-ink">
          {generations.length === runs.length
            ? `${runs.length} results`
            : `${generations.length} of ${runs.length} started`}
        </span>
        <Money amount_usd={formatUsd(total)} />
        <span className="ml-auto">
          {are_sent ? (
            <CancelAllButton
              generations={ids.map((id, at) => ({ id, status: generations[at]?.data?.status ?? 'queued' }))}
            />
          ) : null}
        </span>
      </div>
      {typeof prompt === 'string' ? (
        <p dir="auto" className="-mt-3 line-clamp-2 text-sm wrap-anywhere text-ink-2">
          {prompt}
        </p>
      ) : null}
      {failedRuns.length > 0 ? (
        <Callout tone="bad" title={`${failedRuns.length} not started`}>
          <ul>
            {failedRuns.map((run) => (
              <li key={run.id}>
                {runName(run)}: {run.problem?.message}
              </li>
            ))}
          </ul>
        </Callout>
      ) : null}
      <ul className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {runs.map((run) => (
          <li key={run.id} aria-label={runName(run)} className="min-w-0">
            {run.problem ? <h2 className="mb-3 font-semibold">{runName(run)}</h2> : null}
            <GenerationRunView run={run} max_height={max_height} comparison={comparison} />
          </li>
        ))}
      </ul>
    </section>
  );
}
