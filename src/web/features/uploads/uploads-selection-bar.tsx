import { Download, Trash2, X } from 'lucide-react';
import type { ListedUpload } from '#contract/resources/upload.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { totalBytes, type Selection } from '#web/media/library/selection/selection.ts';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button, ToolbarButton } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

interface UploadsSelectionBarProps {
  selection: Selection<ListedUpload>;
  rows: readonly ListedUpload[];
  onAll: () => void;
  onClear: () => void;
  onDelete: () => void;
}

export function UploadsSelectionBar({ selection, rows, onAll, onClear, onDelete }: UploadsSelectionBarProps) {
  const uploads = [...selection.media.values()];
  const archive = useMediaDownload();
  const canDelete = useCan('work.create');
  const [first] = uploads;
  const commonType = first && uploads.every(({ type }) => type === first.type) ? first.type : null;
  const unselectedCount = rows.filter(({ id }) => !selection.media.has(id)).length;
  const links = uploads.map(({ url }) => new URL(assetSrc(url), window.location.href).href);
  const several = uploads.length > 1;
  return (
    <section
      aria-label="Selection"
      className="flex min-h-9 flex-wrap items-center gap-x-1.5 gap-y-2 pointer-coarse:min-h-11"
    >
      <IconButton label="Clear selection" icon={<X aria-hidden="true" className="size-4" />} onClick={onClear} />
      <output className="mr-auto min-w-0 text-sm tabular-nums">
        <span className="font-semibold">{formatNumber(uploads.length)} selected</span>
        <span className="text-ink-3"> · {formatFileSize(totalBytes(uploads))}</span>
      </output>
      {unselectedCount > 0 ? (
        <Button size="sm" variant="ghost" onClick={onAll}>
          <span className="@max-md:sr-only">Select all</span>
          <span aria-hidden="true" className="@md:hidden">
            All
          </span>{' '}
          {formatNumber(rows.length)} <span className="@max-md:sr-only">loaded</span>
        </Button>
      ) : null}
      {commonType ? <ContinueWithMenu type={commonType} mediaIds={uploads.map(({ id }) => id)} /> : null}
      <CopyButton text={links.join('\n')} label={several ? 'Copy links' : 'Copy link'} />
      <ToolbarButton
        icon={<Download aria-hidden="true" className="size-4" />}
        busy={archive.isPending}
        onClick={() => void archive.download(uploads)}
      >
        {several ? 'Download ZIP' : 'Download'}
      </ToolbarButton>
      {canDelete ? (
        <ToolbarButton icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={onDelete}>
          Delete
        </ToolbarButton>
      ) : null}
    </section>
  );
}
