import { isTaskId } from '#contract/catalog.ts';
import { isModelId } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { GenerationCost } from '#web/forms/money/generation-cost.tsx';
import { mediaDragProps } from '#web/media/media-drag.ts';
import { workTitle } from '#web/forms/inputs/describe-input.ts';
import { cx } from '#web/ui/cx.ts';
import { type FeedEntry, generationsOf, isPending, orderOf, type ResultItem } from './feed-entries.ts';
import { CircleAlert, Hourglass } from 'lucide-react';
import { ContextMenu } from '#web/ui/overlays/context-menu.tsx';
import { ResultControls, ResultMenuItems } from '#web/features/create/orders/result-controls.tsx';
import type { ReactNode } from 'react';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { ClipLength } from '#web/media/library/tile-overlays.tsx';
import { GenerationThumbnail } from '#web/media/outputs/generation-thumbnail.tsx';
import { Progress, Spinner } from '#web/ui/display/progress.tsx';
import { statuses } from '#web/ui/display/status-badge.tsx';

interface FeedTileProps {
  entry: FeedEntry;
  leftPx: number;
  sizePx: number;
  tabbable: boolean;
  isOpen: boolean;
  onFocus: (id: string) => void;
  onOpen: (entry: FeedEntry) => void;
}

/** Tiles of a group beyond these are counted. */
const GROUP_TILES = 4;

export function FeedTile({ entry, leftPx, sizePx, tabbable, isOpen, onFocus, onOpen }: FeedTileProps) {
  const names = useCatalogNames();
  const { id, items } = entry;
  const [first] = items;
  if (!first) return null;
  const order = knownOrder(first);
  const summary = order ? workTitle(order, names) : 'Result';
  const several = items.length > 1;
  const asset = several || isPending(first) ? undefined : first.output.assets.find(({ removed_at }) => !removed_at);
  const models = new Set(items.flatMap((item) => knownOrder(item)?.model ?? []));
  const state = several ? `${items.length} results` : describeFeedItem(first);
  const generations = generationsOf(items);
  return (
    <ContextMenu
      label="Actions"
      area={<li data-feed={id} className="group/tile absolute top-0" style={{ left: leftPx, width: sizePx }} />}
      items={<ResultMenuItems generations={generations} />}
    >
      <div
        style={{ height: sizePx }}
        className={cx(
          'relative grid overflow-hidden rounded-md border border-line bg-sunken',
          several && 'grid-cols-2 gap-0.5',
          items.length > 2 && 'grid-rows-2',
          // Three fill the tile too.
          items.length === 3 && '*:first:row-span-2',
          isOpen && 'outline-2 outline-offset-2 outline-amber',
        )}
      >
        {items.slice(0, GROUP_TILES).map((item) => (
          <FeedTileView key={item.id} item={item} compact={several} widthPx={several ? sizePx / 2 : sizePx} />
        ))}
        {several ? <Label>{state}</Label> : null}
      </div>
      <button
        type="button"
        data-tile=""
        dir="auto"
        {...(asset ? mediaDragProps(asset) : {})}
        tabIndex={tabbable ? 0 : -1}
        aria-label={state ? `${summary}, ${state}` : undefined}
        aria-current={isOpen || undefined}
        onFocus={() => onFocus(id)}
        onClick={() => onOpen(entry)}
        className="mt-1.5 block w-full truncate text-left text-sm outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
      >
        {summary}
      </button>
      <span
        style={{ top: sizePx }}
        className="pointer-events-none absolute inset-x-1.5 -mt-7 flex items-center justify-between gap-2 rounded-sm bg-canvas px-1.5 py-0.5 text-xs text-ink-2 opacity-0 transition-opacity group-focus-within/tile:opacity-100 group-hover/tile:opacity-100"
      >
        <span className="truncate">
          {models.size > 1 ? `${models.size} models` : order ? names.modelOrTask(order) : null}
        </span>
        {several ? (
          <span className="whitespace-nowrap">{state}</span>
        ) : isPending(first) ? null : (
          <GenerationCost usage={first.usage} />
        )}
      </span>
      {generations.length > 0 ? (
        <span className="absolute top-1.5 right-1.5 z-1">
          <ResultControls quiet generations={generations} tabIndex={tabbable ? 0 : -1} />
        </span>
      ) : null}
    </ContextMenu>
  );
}

function knownOrder(item: ResultItem) {
  const { task, model, input } = orderOf(item);
  return isTaskId(task) && (model === null || isModelId(model)) ? { task, model, input } : null;
}

const SENDING = 'Sending…';

/** What a tile says beside its picture, or in place of it; null for a result that speaks for itself. */
function describeFeedItem(item: ResultItem): string | null {
  if (isPending(item)) {
    const { problem, requestId } = item;
    if (problem) return `${problem.isUnsure ? 'No response yet' : 'Not started'}. ${problem.message}`;
    return requestId === undefined ? SENDING : 'Waiting for approval';
  }
  const { status, progress, error, provider_status } = item;
  if (provider_status?.problem) return `${provider_status.problem} Trying again.`;
  if (status === 'queued') return 'Waiting';
  if (status === 'running') return progress === null ? 'Running' : `${Math.floor(progress * 100)}%`;
  if (status === 'failed') return error?.message ?? 'This failed';
  return status === 'succeeded' ? null : statuses[status].label;
}

interface FeedTileViewProps {
  item: ResultItem;
  /** One of a group: a problem is an icon without its text. */
  compact: boolean;
  widthPx: number;
}

function FeedTileView({ item, compact, widthPx }: FeedTileViewProps) {
  const generation = isPending(item) ? null : item;
  const text = describeFeedItem(item);
  const asset = generation?.output.assets.find(({ removed_at }) => !removed_at);
  if (asset) {
    const count = generation?.output.assets.length ?? 1;
    return (
      <span className="relative">
        <MediaThumbnail medium={asset} widthPx={widthPx} cover />
        {count > 1 ? <Label>{count} files</Label> : text === null ? null : <Label>{text}</Label>}
        <ClipLength medium={asset} />
      </span>
    );
  }
  if (generation && text === null) return <GenerationThumbnail generation={generation} className="size-full" />;
  const failed = isPending(item) ? item.problem !== null : item.status === 'failed';
  const isBusy = text === SENDING;
  return (
    <span className="flex min-w-0 flex-col items-center justify-center gap-2 p-3 text-center text-xs text-ink-2">
      <span className={cx('[&>svg]:size-5', failed ? 'text-bad' : 'text-ink-3')}>
        {generation ? (
          statuses[generation.status].icon
        ) : failed ? (
          <CircleAlert aria-hidden="true" />
        ) : isBusy ? (
          <Spinner />
        ) : (
          <Hourglass aria-hidden="true" />
        )}
      </span>
      {compact ? null : (
        <span className={cx('line-clamp-4 max-w-full wrap-anywhere tabular-nums', failed && 'text-ink')}>{text}</span>
      )}
      {generation?.status === 'running' ? (
        <Progress value={generation.progress} label="Progress" className="w-full max-w-24" />
      ) : null}
    </span>
  );
}

const Label = ({ children }: { children: ReactNode }) => (
  <span className="absolute bottom-1.5 left-1.5 rounded-sm bg-canvas px-1.5 py-0.5 text-xs text-ink-2">{children}</span>
);
