import { Link } from '@tanstack/react-router';
import { PenLine, Star, Trash2 } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { FeedItem } from './feed-entries.ts';

const iconLinkClass =
  'inline-flex size-7 flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink';

/** Appear on hover and focus. On touch screens the open result has the same actions. */
export function FeedTileActions({ items, tabbable }: { items: readonly FeedItem[]; tabbable: boolean }) {
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const generations = items.flatMap(({ generation }) => generation ?? []);
  const assets = generations.flatMap(({ output }) => output.assets).filter(({ removed_at }) => !removed_at);
  const [generation] = generations;
  const [asset] = assets;
  if (!generation) return null;
  const tabIndex = tabbable ? 0 : -1;
  const { favourite = false } = asset ?? {};
  return (
    <span
      className={
        'absolute top-1.5 right-1.5 z-1 flex rounded-md bg-canvas opacity-0 transition-opacity pointer-coarse:hidden ' +
        'group-focus-within/tile:opacity-100 group-hover/tile:opacity-100'
      }
    >
      <Link
        {...createPageLink(generation.task, generation.model)}
        search={{ from: generation.id }}
        tabIndex={tabIndex}
        aria-label="Reuse settings"
        data-tooltip="Reuse settings"
        className={iconLinkClass}
      >
        <PenLine aria-hidden="true" className="size-4" />
      </Link>
      {asset && assets.length === 1 ? (
        <IconButton
          size="sm"
          tabIndex={tabIndex}
          label={favourite ? 'Remove star' : 'Star'}
          icon={<Star aria-hidden="true" className={favourite ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
          onClick={() => void star({ id: asset.id, favourite })}
        />
      ) : null}
      {asset ? (
        <IconButton
          size="sm"
          tabIndex={tabIndex}
          label="Delete"
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          onClick={() =>
            void moveToTrash(
              assets.map(({ id }) => id),
              () => undefined,
            )
          }
        />
      ) : null}
    </span>
  );
}
