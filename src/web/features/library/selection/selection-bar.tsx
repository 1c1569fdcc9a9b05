import { Columns2, Download, FolderMinus, FolderPlus, Image, Star, Tags, Trash2, X } from 'lucide-react';
import type { MediaItem } from '#contract/resources/media.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { MAX_ARCHIVE_FILES } from '#web/api/queries/media-mutations.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button, ToolbarButton } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import { RenameButton } from '../rename/rename-button.tsx';
import { checkComparable } from '#web/media/compare/check-comparable.ts';
import { BareDownloadMenu } from '#web/media/library/selection/bare-download-menu.tsx';
import { totalBytes } from '#web/media/library/selection/selection.ts';
import { formatNumber } from '#web/ui/formats.ts';

interface SelectionBarProps {
  media: readonly MediaItem[];
  /** Number of selected files that the filters hide. */
  hidden: number;
  more: number;
  busy: { download: boolean; star: boolean };
  onAll: () => void;
  onClear: () => void;
  onStar: (favourite: boolean) => void;
  onCompare: (ids: readonly [string, string]) => void;
  onDownload: () => void;
  onBareDownload: () => void;
  onCollect: () => void;
  onLabel: () => void;
  /** Actions in the open collection; null: none is open. */
  collected: { name: string; remove: () => void; setCover: () => void } | null;
  onDelete: () => void;
}

const icon = 'size-4';
/** Icons alone beside the rail: the bar has more buttons than others. */
const compact = '@max-5xl:w-9 @max-5xl:px-0 @max-5xl:[&>span]:sr-only @max-5xl:pointer-coarse:w-11';

export function SelectionBar(props: SelectionBarProps) {
  const { media, hidden, more, busy, onAll, onClear, onStar, onCompare, onDownload, onDelete } = props;
  const { onBareDownload, onCollect, onLabel, collected } = props;
  const canChange = useCan('work.create');
  const isEmpty = media.length === 0;
  const starred = !isEmpty && media.every(({ favourite }) => favourite);
  const [first] = media;
  const commonType = first && media.every(({ type }) => type === first.type) ? first.type : null;
  const pair = checkComparable(media);
  const exceedsArchive = media.length > MAX_ARCHIVE_FILES;
  return (
    <section
      aria-label="Selection"
      className="flex min-h-9 flex-wrap items-center gap-x-1.5 gap-y-2 pointer-coarse:min-h-11"
    >
      <IconButton label="Clear selection" icon={<X aria-hidden="true" className={icon} />} onClick={onClear} />
      <output className="mr-auto min-w-0 text-sm tabular-nums">
        <span className="font-semibold">{isEmpty ? 'Select items' : `${formatNumber(media.length)} selected`}</span>
        <span className="text-ink-3">
          {isEmpty ? '' : ` · ${formatFileSize(totalBytes(media))}`}
          {hidden > 0 ? ` · ${hidden} hidden by filters` : ''}
        </span>
      </output>
      {more > 0 ? (
        <Button size="sm" variant="ghost" onClick={onAll}>
          <span className="@max-md:sr-only">Select all</span>
          <span aria-hidden="true" className="@md:hidden">
            All
          </span>{' '}
          {formatNumber(media.length - hidden + more)} <span className="@max-md:sr-only">loaded</span>
        </Button>
      ) : null}
      {canChange ? (
        <IconButton
          outlined
          label={starred ? 'Remove stars' : 'Star'}
          disabled={isEmpty}
          busy={busy.star}
          icon={<Star aria-hidden="true" className={starred ? 'size-4 fill-amber text-amber-text' : icon} />}
          onClick={() => onStar(!starred)}
        />
      ) : null}
      {canChange ? (
        <IconButton
          outlined
          label="Add to collection"
          disabled={isEmpty}
          icon={<FolderPlus aria-hidden="true" className={icon} />}
          onClick={onCollect}
        />
      ) : null}
      {canChange ? (
        <IconButton
          outlined
          label="Tags"
          disabled={isEmpty}
          icon={<Tags aria-hidden="true" className={icon} />}
          onClick={onLabel}
        />
      ) : null}
      {first && media.length === 1 ? <RenameButton outlined medium={first} /> : null}
      {canChange && collected ? (
        <>
          <IconButton
            outlined
            label={`Remove from “${collected.name}”`}
            disabled={isEmpty}
            icon={<FolderMinus aria-hidden="true" className={icon} />}
            onClick={collected.remove}
          />
          {media.length === 1 ? (
            <IconButton
              outlined
              label="Use as cover"
              className="@max-md:hidden"
              icon={<Image aria-hidden="true" className={icon} />}
              onClick={collected.setCover}
            />
          ) : null}
        </>
      ) : null}
      {commonType ? <ContinueWithMenu type={commonType} mediaIds={media.map(({ id }) => id)} /> : null}
      <ToolbarButton
        className={compact}
        icon={<Columns2 aria-hidden="true" className={icon} />}
        aria-disabled={!pair.ids}
        {...(pair.reason ? tooltipProps(pair.reason) : {})}
        onClick={() => pair.ids && onCompare(pair.ids)}
      >
        Compare
      </ToolbarButton>
      <ShareButton className={compact} mediaIds={media.map(({ id }) => id)} />
      <ToolbarButton
        className={compact}
        icon={<Download aria-hidden="true" className={icon} />}
        busy={busy.download}
        aria-disabled={isEmpty || exceedsArchive}
        {...(exceedsArchive ? tooltipProps(`A ZIP can hold up to ${formatNumber(MAX_ARCHIVE_FILES)} files.`) : {})}
        onClick={onDownload}
      >
        {media.length > 1 ? 'Download ZIP' : 'Download'}
      </ToolbarButton>
      <BareDownloadMenu outlined disabled={isEmpty || exceedsArchive || busy.download} onDownload={onBareDownload} />
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
    </section>
  );
}
