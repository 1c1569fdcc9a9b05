import { Columns2, Download, FolderMinus, FolderPlus, Image, Star, Tags, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Collection } from '#contract/resources/collection.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { MAX_ARCHIVE_FILES } from '#web/api/queries/media-mutations.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { ToolbarButton } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { RenameButton } from '../rename/rename-button.tsx';
import { checkComparable } from '#web/media/compare/check-comparable.ts';
import { BareDownloadMenu } from '#web/media/library/selection/bare-download-menu.tsx';
import { type SelectionState, totalBytes } from '#web/media/library/selection/selection.ts';
import { SelectionToolbar } from '#web/media/library/selection/selection-toolbar.tsx';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import { useSetCover, useUncollect } from '#web/media/library/collections/use-collect.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { formatNumber } from '#web/ui/formats.ts';

const MediaTagsDialog = lazyComponent(
  async () => (await import('#web/forms/tags/media-tag-editor.tsx')).MediaTagsDialog,
);

/** There is no bulk endpoint for stars. */
const STAR_CONCURRENCY = 4;

interface SelectionBarProps {
  state: SelectionState<MediaItem>;
  list: readonly MediaItem[];
  onCompare: (ids: readonly [string, string]) => void;
  /** The open one. */
  collection: Collection | undefined;
  onCollect: (media_ids: readonly string[]) => void;
  onDelete: () => void;
}

const icon = 'size-4';
/** Icons alone beside the rail: the bar has more buttons than others. */
const compact = '@max-5xl:w-9 @max-5xl:px-0 @max-5xl:[&>span]:sr-only @max-5xl:pointer-coarse:w-11';

/** What can be done with selected files. */
export function SelectionBar({ state, list, collection, onCompare, onCollect, onDelete }: SelectionBarProps) {
  const archive = useMediaDownload();
  const [isTagging, setTagging] = useState(false);
  const { starAll, isStarring } = useStarAll();
  const canChange = useCan('work.create');
  // The selection can hold older versions than the list.
  const listedById = new Map(list.map((medium) => [medium.id, medium]));
  const media = [...state.selection.media.values()].map((medium) => listedById.get(medium.id) ?? medium);
  const ids = media.map(({ id }) => id);
  const hiddenCount = ids.filter((id) => !listedById.has(id)).length;
  const isEmpty = media.length === 0;
  const starred = !isEmpty && media.every(({ favourite }) => favourite);
  const [first] = media;
  const commonType = first && media.every(({ type }) => type === first.type) ? first.type : null;
  const pair = checkComparable(media);
  const exceedsArchive = media.length > MAX_ARCHIVE_FILES;
  const hidden = hiddenCount > 0 ? ` · ${hiddenCount} hidden by filters` : '';
  return (
    <SelectionToolbar state={state} list={list} note={formatFileSize(totalBytes(media)) + hidden}>
      {canChange ? (
        <IconButton
          outlined
          label={starred ? 'Remove stars' : 'Star'}
          disabled={isEmpty}
          busy={isStarring}
          icon={<Star aria-hidden="true" className={starred ? 'size-4 fill-amber text-amber-text' : icon} />}
          onClick={() => void starAll(media, !starred)}
        />
      ) : null}
      {canChange ? (
        <IconButton
          outlined
          label="Add to collection"
          disabled={isEmpty}
          icon={<FolderPlus aria-hidden="true" className={icon} />}
          onClick={() => onCollect(ids)}
        />
      ) : null}
      {canChange ? (
        <IconButton
          outlined
          label="Tags"
          disabled={isEmpty}
          icon={<Tags aria-hidden="true" className={icon} />}
          onClick={() => setTagging(true)}
        />
      ) : null}
      {first && media.length === 1 ? <RenameButton outlined medium={first} /> : null}
      {canChange && collection ? <CollectionButtons state={state} ids={ids} collection={collection} /> : null}
      {commonType ? <ContinueWithMenu type={commonType} mediaIds={ids} /> : null}
      <ToolbarButton
        className={compact}
        icon={<Columns2 aria-hidden="true" className={icon} />}
        aria-disabled={!pair.ids}
        {...(pair.reason ? tooltipProps(pair.reason) : {})}
        onClick={() => pair.ids && onCompare(pair.ids)}
      >
        Compare
      </ToolbarButton>
      <ShareButton className={compact} mediaIds={ids} />
      <ToolbarButton
        className={compact}
        icon={<Download aria-hidden="true" className={icon} />}
        busy={archive.isPending}
        aria-disabled={isEmpty || exceedsArchive}
        {...(exceedsArchive ? tooltipProps(`A ZIP can hold up to ${formatNumber(MAX_ARCHIVE_FILES)} files.`) : {})}
        onClick={() => void archive.download(media)}
      >
        {media.length > 1 ? 'Download ZIP' : 'Download'}
      </ToolbarButton>
      <BareDownloadMenu
        outlined
        disabled={isEmpty || exceedsArchive || archive.isPending}
        onDownload={() => void archive.downloadBare(media)}
      />
      {canChange ? (
        <ToolbarButton
          className={compact}
          icon={<Trash2 aria-hidden="true" className={icon} />}
          disabled={isEmpty}
          onClick={onDelete}
        >
          Delete
        </ToolbarButton>
      ) : null}
      {isTagging ? <MediaTagsDialog media={media} onClose={() => setTagging(false)} /> : null}
    </SelectionToolbar>
  );
}

function useStarAll() {
  const star = useToggleStar();
  const [isStarring, setStarring] = useState(false);
  const starAll = async (media: readonly MediaItem[], favourite: boolean) => {
    setStarring(true);
    const pending = media.filter((medium) => medium.favourite !== favourite);
    const workers = Array.from({ length: STAR_CONCURRENCY }, async () => {
      // The first error is shown and stops the rest.
      for (let next = pending.shift(); next; next = pending.shift()) if (!(await star(next))) pending.length = 0;
    });
    await Promise.all(workers);
    setStarring(false);
  };
  return { starAll, isStarring };
}

interface CollectionButtonsProps {
  state: SelectionState<MediaItem>;
  ids: readonly string[];
  collection: Collection;
}

/** Actions in the open collection. */
function CollectionButtons({ state, ids, collection }: CollectionButtonsProps) {
  const uncollect = useUncollect();
  const setCover = useSetCover();
  const [first] = ids;
  return (
    <>
      <IconButton
        outlined
        label={`Remove from “${collection.name}”`}
        disabled={first === undefined}
        icon={<FolderMinus aria-hidden="true" className={icon} />}
        onClick={() => void uncollect(collection, ids).then((done) => done && state.drop(new Set(ids)))}
      />
      {first !== undefined && ids.length === 1 ? (
        <IconButton
          outlined
          label="Use as cover"
          className="@max-md:hidden"
          icon={<Image aria-hidden="true" className={icon} />}
          onClick={() => void setCover(collection, first)}
        />
      ) : null}
    </>
  );
}
