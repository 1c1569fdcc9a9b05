import { isModelId, isTaskId } from '#contract/catalog.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { GenerationCost } from '#web/forms/generation-cost.tsx';
import { mediaDragProps } from '#web/media/media-drag.ts';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { FeedTileActions } from './feed-tile-actions.tsx';
import type { FeedEntry, FeedItem } from './feed-entries.ts';
import { describeFeedItem, FeedTileView } from './feed-tile-view.tsx';

interface FeedTileProps {
  entry: FeedEntry;
  left_px: number;
  size_px: number;
  tabbable: boolean;
  isOpen: boolean;
  onFocus: (id: string) => void;
  onOpen: (entry: FeedEntry) => void;
}

/** Tiles of a group beyond these are counted. */
const GROUP_TILES = 4;

export function FeedTile({ entry, left_px, size_px, tabbable, isOpen, onFocus, onOpen }: FeedTileProps) {
  const names = useCatalogNames();
  const { id, items } = entry;
  const [first] = items;
  if (!first) return null;
  const order = orderOf(first);
  const summary = order ? summarizeInput(order, names) : 'Result';
  const several = items.length > 1;
  const asset = several ? undefined : first.generation?.output.assets.find(({ removed_at }) => !removed_at);
  const models = new Set(items.flatMap((item) => orderOf(item)?.model ?? []));
  const state = several ? `${items.length} results` : describeFeedItem(first);
  return (
    <li data-feed={id} className="group/tile absolute top-0" style={{ left: left_px, width: size_px }}>
      <div
        style={{ height: size_px }}
        className={cx(
          'relative grid overflow-hidden rounded-md border border-line bg-sunken',
          several && 'grid-cols-2 grid-rows-2 gap-0.5',
          isOpen && 'outline-2 outline-offset-2 outline-amber',
        )}
      >
        {items.slice(0, GROUP_TILES).map((item) => (
          <FeedTileView
            key={item.generation?.id ?? item.run?.id}
            item={item}
            compact={several}
            width_px={several ? size_px / 2 : size_px}
          />
        ))}
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
      <div className="mt-0.5 flex h-5.5 items-center justify-between gap-2 text-xs text-ink-3">
        {order ? (
          <Badge className="min-w-0 flex-initial!">
            {models.size > 1 ? `${models.size} models` : names.modelOrTask(order)}
          </Badge>
        ) : (
          <span />
        )}
        {several ? (
          <span className="whitespace-nowrap">{state}</span>
        ) : first.generation ? (
          <GenerationCost usage={first.generation.usage} />
        ) : null}
      </div>
      <FeedTileActions items={items} tabbable={tabbable} />
    </li>
  );
}

function orderOf({ run, generation }: FeedItem) {
  if (generation) return generation;
  const { task, model = null, input } = run?.order.body ?? { task: '', input: {} };
  return isTaskId(task) && (model === null || isModelId(model)) ? { task, model, input } : null;
}
