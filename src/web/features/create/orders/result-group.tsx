import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { Square } from 'lucide-react';
import { isTaskId } from '#contract/catalog.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import { isModelId } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { ZoomSiblings } from '#web/media/outputs/image-zoom.tsx';
import { useModelName } from '#web/api/model-names.ts';
import { Money } from '#web/api/money.tsx';
import { useCancelTogether } from '#web/api/queries/batches.ts';
import { listedGenerationQuery } from '#web/api/queries/generations.ts';
import { isPreviewResult } from '#web/forms/models/engine-labels.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import {
  areVariations,
  generationsOf,
  isPending,
  orderOf,
  type ResultItem,
} from '#web/features/create/feed/feed-entries.ts';
import { PreviewBadge } from '#web/features/create/preview-badge.tsx';
import { orderStore } from './pending-orders.ts';
import { filesOf } from './result-controls.tsx';
import { OrderView, ResultView } from './result-view.tsx';

/** Variations of one order, which started together or not at all, or the same order on several models. */
export function ResultGroup({ ids, isUnreachable }: { ids: readonly string[]; isUnreachable: boolean }) {
  const items = useResults(ids);
  const orders = items.filter((item) => item !== undefined && isPending(item));
  const [first] = orders;
  if (first?.isTogether && (first.problem || first.requestId !== undefined)) return <OrderView orders={orders} />;
  return <ResultGrid ids={ids} items={items} isUnreachable={isUnreachable} />;
}

/** In the order of their ids; undefined for a generation that is not loaded. */
function useResults(ids: readonly string[]): (ResultItem | undefined)[] {
  const client = useQueryClient();
  const orders = useSelector(orderStore, (state) => state.orders);
  const pending = new Map(orders.map((order) => [order.id, order]));
  const generations = useQueries({
    queries: ids.map((id) => ({ ...listedGenerationQuery(client, id), enabled: !pending.has(id) })),
    combine: (results) => results.map(({ data }) => data),
  });
  return ids.map((id, at) => pending.get(id) ?? generations[at]);
}

interface ResultGridProps {
  ids: readonly string[];
  items: readonly (ResultItem | undefined)[];
  isUnreachable: boolean;
}

function ResultGrid({ ids, items, isUnreachable }: ResultGridProps) {
  const nameResult = useResultName();
  const canChange = useCan('work.create');
  const loaded = items.filter((item) => item !== undefined);
  const generations = generationsOf(loaded);
  const together = areVariations(loaded);
  const discarded = new Set(generations.filter(isDiscarded).map(({ id }) => id));
  const shown = ids.flatMap((id, at) => (discarded.has(id) ? [] : [{ id, item: items[at], number: at + 1 }]));
  const moveToTrash = useMoveToTrash();
  const isComplete = generations.length === ids.length && !generations.some(({ status }) => isActive(status));
  const keepOnly = (keptId: string) => {
    const others = filesOf(generations.filter(({ id }) => id !== keptId));
    const files = filesOf(generations.filter(({ id }) => id === keptId));
    if (!canChange || !isComplete || files.length === 0 || others.length === 0) return undefined;
    return () =>
      void moveToTrash(
        others.map(({ id }) => id),
        () => undefined,
      );
  };
  const images = shown.flatMap(({ item, number }) => {
    if (item === undefined || isPending(item)) return [];
    const label = together ? `Variation ${number}` : nameResult(item);
    return filesOf([item]).flatMap((file) => (file.type === 'image' ? [{ ...file, label }] : []));
  });
  // Four results fit a window of 900 pixels.
  const maxHeight = ids.length > 2 ? 'max(9rem, (100dvh - 25rem) / 2)' : '56dvh';
  return (
    <section
      aria-label={together ? `${shown.length} variations` : 'Side by side'}
      className="flex min-w-0 flex-col gap-4"
    >
      <GroupHeader items={shown.map(({ item }) => item)} title={together ? nameResult(items[0]) : 'Side by side'} />
      {shown.length === 0 ? <p className="text-sm text-ink-2">All results are in the trash.</p> : null}
      <ZoomSiblings value={images}>
        <ul
          className={cx(
            'grid gap-x-3 gap-y-4 sm:grid-cols-2 sm:gap-x-5',
            together && 'grid-cols-2',
            ids.length > 4 && 'xl:grid-cols-4 xl:gap-x-3',
          )}
        >
          {shown.map(({ id, item, number }) => (
            <li key={id} aria-label={together ? `Variation ${number}` : nameResult(item)} className="min-w-0">
              <ResultView
                id={id}
                maxHeight={maxHeight}
                name={together ? `variation ${number}` : nameResult(item)}
                isVariation={together}
                onKeepOnly={keepOnly(id)}
                isUnreachable={isUnreachable}
              />
            </li>
          ))}
        </ul>
      </ZoomSiblings>
    </section>
  );
}

const isDiscarded = ({ status, output }: Generation): boolean =>
  status === 'succeeded' && output.assets.length > 0 && output.assets.every(({ removed_at }) => removed_at);

const formatResultCount = (count: number): string => (count === 1 ? '1 result' : `${count} results`);

function useResultName(): (item: ResultItem | undefined) => string {
  const nameModel = useModelName();
  const names = useCatalogNames();
  return (item) => {
    const { task, model } = item ? orderOf(item) : { task: '', model: null };
    if (model && isModelId(model)) return nameModel(model);
    return isTaskId(task) ? names.task(task) : task;
  };
}

function GroupHeader({ items, title }: { items: readonly (ResultItem | undefined)[]; title: string }) {
  const loaded = items.filter((item) => item !== undefined);
  const generations = generationsOf(loaded);
  const [first] = loaded;
  const prompt = first && orderOf(first).input['prompt'];
  const total = generations.reduce(
    (sum, { usage }) => sum + (usage.billing_status === 'released' ? 0n : parseUsd(usage.amount_usd)),
    0n,
  );
  const done = loaded.filter((item) => (isPending(item) ? item.problem : !isActive(item.status))).length;
  const isLoaded = loaded.length === items.length;
  // Those that are being sent have no id to cancel yet.
  const areSent = loaded.every((item) => !isPending(item) || item.problem);
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 truncate font-semibold">{title}</h2>
        {generations.some(isPreviewResult) ? <PreviewBadge /> : null}
        <span className="text-sm text-ink-3 tabular-nums" aria-live="polite">
          {isLoaded && done < items.length ? `${done} of ${items.length} done` : formatResultCount(items.length)}
        </span>
        <span className="ml-auto flex items-center gap-3 text-sm text-ink-3">
          {isLoaded ? <Money amount_usd={formatUsd(total)} /> : null}
          {isLoaded && areSent ? <CancelAllButton generations={generations} /> : null}
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

/** Cancels those of several results that are not done; nothing once all are. */
function CancelAllButton({ generations }: { generations: readonly Generation[] }) {
  const cancel = useCancelTogether();
  const active = generations.filter(({ status }) => isActive(status));
  if (active.length === 0) return null;
  const batchId = areVariations(generations) ? (generations[0]?.batch_id ?? undefined) : undefined;
  const showError = toastError('Could not cancel');
  return (
    <Button
      size="sm"
      busy={cancel.isPending}
      icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
      onClick={() => cancel.mutate({ batchId, ids: active.map(({ id }) => id) }, { onError: showError })}
    >
      Cancel all
    </Button>
  );
}
