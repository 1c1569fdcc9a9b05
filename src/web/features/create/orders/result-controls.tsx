import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Columns2, Download, Info, MoreHorizontal, PenLine, Share2, Sparkles, Star, Trash2 } from 'lucide-react';
import { isTaskId } from '#contract/catalog.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isModelId } from '#web/api/known-models.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useCanShare } from '#web/api/queries/shares.ts';
import { openShareDialog } from '#web/forms/shares/open-share-dialog.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { ContinueItems } from '#web/media/outputs/continue-with-menu.tsx';
import { downloadHref } from '#web/media/outputs/download-link.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import { useComparison } from '#web/features/create/comparison.ts';
import { startOrder, startTogether } from './pending-orders.ts';
import { MORE_COUNTS, moreLikeThis } from '#web/features/create/variations/more-like-this.ts';
import { createVariations, hasVariations } from '#web/features/create/variations/variation-count.ts';

interface ResultProps {
  /** Several for a group, whose files are discarded together. */
  generations: readonly Generation[];
  /** Whether the next steps, reuse, download and details are beside the menu already. */
  isBelowActions?: boolean;
  onDiscarded?: () => void;
}

export const filesOf = (generations: readonly Generation[]) =>
  generations.flatMap(({ output }) => output.assets).filter(({ removed_at }) => !removed_at);

/** The only file of the only generation. */
function findFile(generations: readonly Generation[]) {
  const files = filesOf(generations);
  return generations.length === 1 && files.length === 1 ? files[0] : undefined;
}

interface ResultControlsProps extends ResultProps {
  /** For the names of the buttons where several results are shown: "variation 2". */
  name?: string;
  tabIndex?: number;
  /** Hides what is not set until the tile is pointed at or has the focus. */
  quiet?: boolean;
}

const quietClass =
  'opacity-0 transition-opacity group-focus-within/tile:opacity-100 group-hover/tile:opacity-100 aria-expanded:opacity-100 pointer-coarse:hidden';

/** A star and one menu; while a second file for a comparison is wanted, the button that picks it. */
export function ResultControls({
  generations,
  onDiscarded,
  isBelowActions = false,
  name,
  tabIndex,
  quiet = false,
}: ResultControlsProps) {
  const canCreate = useCan('work.create');
  const star = useToggleStar();
  const { choose, canBeSecond } = useComparison();
  const file = findFile(generations);
  const suffix = name === undefined ? '' : ` ${name}`;
  if (file && canBeSecond(file))
    return (
      <Button size="sm" tabIndex={tabIndex} aria-label={`Compare with this${suffix}`} onClick={() => choose(file)}>
        Compare
      </Button>
    );
  const isStarred = file?.favourite ?? false;
  const className = quiet ? cx(quietClass, 'bg-canvas!') : undefined;
  return (
    <span className="flex gap-0.5">
      {file && canCreate ? (
        <IconButton
          size="sm"
          tabIndex={tabIndex}
          label={`Star${suffix}`}
          pressed={isStarred}
          icon={<Star aria-hidden="true" className={isStarred ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
          className={isStarred && quiet ? 'bg-canvas!' : className}
          onClick={() => void star({ id: file.id, favourite: isStarred })}
        />
      ) : null}
      <Menu
        label={`Actions${suffix}`}
        renderTrigger={(trigger) => (
          <IconButton
            {...trigger}
            size="sm"
            tabIndex={tabIndex}
            label={`More${suffix || ' actions'}`}
            icon={<MoreHorizontal aria-hidden="true" className="size-4" />}
            className={className}
          />
        )}
      >
        <ResultMenuItems
          generations={generations}
          isBelowActions={isBelowActions}
          {...(onDiscarded ? { onDiscarded } : {})}
        />
      </Menu>
    </span>
  );
}

interface KeepControlsProps {
  generation: Generation;
  name: string;
  onKeepOnly: (() => void) | undefined;
}

/** Beside the results of a group: discards this one, or all others. */
export function KeepControls({ generation, name, onKeepOnly }: KeepControlsProps) {
  const canCreate = useCan('work.create');
  const moveToTrash = useMoveToTrash();
  const ids = filesOf([generation]).map(({ id }) => id);
  if (!canCreate || ids.length === 0) return null;
  return (
    <>
      {onKeepOnly ? (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Keep only this: ${name}`}
          data-tooltip="Discards the others. Undo brings them back."
          className="max-sm:w-full"
          onClick={onKeepOnly}
        >
          Keep only this
        </Button>
      ) : null}
      <IconButton
        size="sm"
        label={`Discard ${name}`}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => void moveToTrash(ids, () => undefined)}
      />
    </>
  );
}

/** Everything that can be done with a result. */
export function ResultMenuItems({ generations, onDiscarded, isBelowActions = false }: ResultProps) {
  const canCreate = useCan('work.create');
  const canShare = useCanShare();
  const { choose, isPicking } = useComparison();
  const moveToTrash = useMoveToTrash();
  const files = filesOf(generations);
  const file = findFile(generations);
  const [generation] = generations;
  if (!generation) return null;
  const { id, task, model, output } = generation;
  const asset = file ? output.assets.indexOf(file) : 0;
  return (
    <>
      {file && canCreate && !isBelowActions ? (
        <>
          <ContinueItems type={file.type} source={{ generationId: id, which: { asset, mediaId: file.id } }} />
          <MenuSeparator />
        </>
      ) : null}
      {file && canCreate ? <MoreLikeThis generation={generation} /> : null}
      {canCreate && !isBelowActions ? (
        <MenuLink link={<Link {...createPageLink(task, model)} search={{ from: id }} />}>
          <PenLine aria-hidden="true" />
          Reuse settings
        </MenuLink>
      ) : null}
      {file && file.type !== 'audio' && !isPicking ? (
        <MenuItem icon={<Columns2 aria-hidden="true" />} onSelect={() => choose(file)}>
          Compare with another
        </MenuItem>
      ) : null}
      {files.length > 0 && canShare && !isBelowActions ? (
        <MenuItem
          icon={<Share2 aria-hidden="true" />}
          onSelect={() => openShareDialog({ media_ids: files.map((each) => each.id) })}
        >
          {files.length > 1 ? 'Share all' : 'Share'}
        </MenuItem>
      ) : null}
      {file && !isBelowActions ? (
        <MenuLink link={<a aria-label="Download" href={downloadHref(file.url)} download />}>
          <Download aria-hidden="true" />
          Download
        </MenuLink>
      ) : null}
      {generations.length === 1 && !isBelowActions ? (
        <MenuLink link={<Link to="/generations/$id" params={{ id }} />}>
          <Info aria-hidden="true" />
          Details
        </MenuLink>
      ) : null}
      {files.length > 0 && canCreate ? (
        <MenuItem
          tone="danger"
          icon={<Trash2 aria-hidden="true" />}
          onSelect={() =>
            void moveToTrash(
              files.map((each) => each.id),
              onDiscarded ?? (() => undefined),
            )
          }
        >
          {generations.length > 1 ? 'Discard all' : 'Discard'}
        </MenuItem>
      ) : null}
    </>
  );
}

function MoreLikeThis({ generation }: { generation: Generation }) {
  const client = useQueryClient();
  const { data: models } = useQuery(modelsQuery);
  const { task, model, usage } = generation;
  if (!isTaskId(task) || !model || !isModelId(model) || !hasVariations(task, model)) return null;
  const start = (count: number) => {
    const order = moreLikeThis(generation, models);
    if (count === 1) startOrder(client, order);
    else startTogether(client, createVariations(order, count));
  };
  return MORE_COUNTS.map((count) => (
    <MenuItem
      key={count}
      icon={<Sparkles aria-hidden="true" />}
      aside={
        <span className="pl-4 text-xs text-ink-3 tabular-nums">
          {formatMoney(parseUsd(usage.amount_usd) * BigInt(count))}
        </span>
      }
      onSelect={() => start(count)}
    >
      {count} more like this
    </MenuItem>
  ));
}
