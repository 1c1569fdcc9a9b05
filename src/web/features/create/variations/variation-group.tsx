import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import { isActive } from '#contract/statuses.ts';
import { formatUsd, parseUsd, formatMoney } from '#contract/money.ts';
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
import { useComparison, type Comparison } from '../use-comparison.ts';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { describeProviderStatus } from '#web/upstream/describe-provider-status.ts';
import { GenerationRunView } from '../generation-run-view.tsx';
import { RunProgress } from '../run-progress.tsx';
import { Link } from '@tanstack/react-router';
import { Info, Sparkles } from 'lucide-react';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { CompareButton, DiscardButton, StarButton } from '../result-buttons.tsx';
import { MORE_COUNT, moreLikeThis } from './more-like-this.ts';
import { createVariations, startTogether } from './start-variations.ts';

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
  const maxHeight = runs.length > 2 ? 'max(9rem, (100dvh - 27rem) / 2)' : '56dvh';
  return (
    <section aria-label={`${runs.length} variations`} className="flex min-w-0 flex-col gap-4">
      <GroupHeader runs={runs} generations={generations} />
      {shown.length === 0 ? <p className="text-sm text-ink-2">All results are in the trash.</p> : null}
      <ul className={cx('grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-5', runs.length > 4 && 'xl:grid-cols-4 xl:gap-x-3')}>
        {shown.map(({ run, number }) => (
          <li key={run.id} aria-label={`Variation ${number}`} className="min-w-0">
            <VariationCell run={run} number={number} maxHeight={maxHeight} comparison={comparison} />
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
  const isPreview = generations.some(isPreviewResult);
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 truncate font-semibold">{name}</h2>
        {isPreview ? <Badge hint={ENGINE_LABELS.preview.description}>{ENGINE_LABELS.preview.label}</Badge> : null}
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

interface VariationCellProps {
  run: Run;
  number: number;
  /** CSS length. */
  maxHeight: string;
  comparison: Comparison;
}

/** One of several results. What is not a result (a failure, a review) looks as it does alone. */
function VariationCell({ run, number, maxHeight, comparison }: VariationCellProps) {
  const { data, isError } = useQuery({
    ...generationQuery(run.generation_id ?? ''),
    enabled: run.generation_id !== null,
  });
  if (data?.status === 'succeeded')
    return (
      <div className="flex min-w-0 flex-col gap-1.5">
        <GenerationOutputs generation={data} maxHeight={maxHeight} />
        <VariationActions generation={data} number={number} comparison={comparison} />
      </div>
    );
  if (isError || (data && !isActive(data.status))) return <GenerationRunView run={run} maxHeight={maxHeight} />;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <RunProgress
        run={run}
        label={progressLabel(run, data)}
        progress={data?.status === 'running' ? data.progress : null}
        details={describeProviderStatus(data?.provider_status)}
        maxHeight={maxHeight}
      />
      {/* The actions take this room, so that the results below do not move. */}
      <div className="h-15" />
    </div>
  );
}

function progressLabel({ generation_id }: Run, generation: Generation | undefined): string {
  if (!generation) return generation_id === null ? 'Sending…' : 'Loading…';
  return generation.status === 'queued' ? 'In the queue' : 'Generating…';
}

interface VariationActionsProps {
  generation: Generation;
  number: number;
  comparison: Comparison;
}

/** What can be done with one of several results: keep it, discard it, compare it, or get more like it. */
function VariationActions({ generation, number, comparison }: VariationActionsProps) {
  const canCreate = useCan('work.create');
  const [asset] = generation.output.assets;
  const file = asset?.removed_at ? undefined : asset;
  return (
    <div className="flex min-h-15 flex-col gap-0.5">
      <div className="flex flex-wrap items-center gap-0.5">
        {file && canCreate ? <StarButton asset={file} label={`Keep variation ${number}`} /> : null}
        {file && canCreate ? <DiscardButton asset={file} label={`Discard variation ${number}`} /> : null}
        {file ? <CompareButton asset={file} label={`Compare variation ${number}`} comparison={comparison} /> : null}
        {file ? <DownloadLink url={file.url} label={`Download variation ${number}`} /> : null}
      </div>
      <div className="flex flex-wrap items-center gap-0.5">
        {canCreate ? <MoreLikeThis generation={generation} /> : null}
        <span className="ml-auto flex items-center gap-0.5">
          {file ? (
            <ContinueWithMenu compact generationId={generation.id} type={file.type} which={{ asset: 0 }} />
          ) : null}
          <Link
            to="/generations/$id"
            params={{ id: generation.id }}
            aria-label={`Details of variation ${number}`}
            data-tooltip="Details"
            className="inline-flex size-7 flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-9"
          >
            <Info aria-hidden="true" className="size-4" />
          </Link>
        </span>
      </div>
    </div>
  );
}

function MoreLikeThis({ generation }: { generation: Generation }) {
  const client = useQueryClient();
  const { data: models } = useQuery(modelsQuery);
  const price = formatMoney(parseUsd(generation.usage.amount_usd) * BigInt(MORE_COUNT));
  return (
    <Button
      size="sm"
      variant="ghost"
      className="-ml-0.5 px-1.5 tabular-nums"
      aria-label={`More like this, ${price}`}
      icon={<Sparkles aria-hidden="true" className="size-3.5 max-sm:hidden" />}
      data-tooltip={`Starts ${MORE_COUNT} more with these settings`}
      onClick={() => startTogether(client, createVariations(moreLikeThis(generation, models), MORE_COUNT))}
    >
      More<span className="max-sm:hidden"> like this</span> · {price}
    </Button>
  );
}
