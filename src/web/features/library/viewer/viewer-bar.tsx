import { Download, FolderPlus, Info, Share2, Star, Trash2, Workflow } from 'lucide-react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { BareDownloadMenu } from '#web/media/library/selection/bare-download-menu.tsx';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import { mediaTitle } from '#web/media/library/media-labels.ts';
import { downloadHref } from '#web/media/outputs/download-link.tsx';
import { useCanShare } from '#web/api/queries/shares.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { CloseButton } from '#web/ui/close-button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';

interface ViewerBarProps {
  medium: MediaItem | undefined;
  /** "3 of 120", "3 of 120+". */
  position: string | null;
  details: boolean;
  lineage: boolean;
  onDetails: () => void;
  onLineage: () => void;
  onStar: () => void;
  onCollect: () => void;
  onShare: () => void;
  onDelete: () => void;
  onClose: () => void;
}

const icon = 'size-4';

export function ViewerBar(props: ViewerBarProps) {
  const names = useCatalogNames();
  const { medium, position, details, lineage, onDetails, onLineage, onStar, onCollect, onShare, onDelete, onClose } =
    props;
  const canShare = useCanShare();
  const archive = useMediaDownload();
  const canChange = useCan('work.create');
  return (
    <header className="flex min-h-13 flex-none flex-wrap items-center justify-end gap-x-1 border-b border-line bg-canvas px-2">
      <CloseButton onClose={onClose} />
      <h2
        tabIndex={-1}
        data-autofocus=""
        className="flex min-w-36 flex-1 items-baseline gap-2 px-1 text-sm font-semibold outline-none"
      >
        <span dir="auto" className="min-w-0 truncate">
          {medium ? mediaTitle(medium, names) : ''}
        </span>
        {position ? <span className="flex-none font-normal text-ink-3 tabular-nums">{position}</span> : null}
      </h2>
      {medium ? (
        <div className="flex flex-none items-center gap-0.5">
          {canChange ? (
            <IconButton
              label={medium.favourite ? 'Remove star (F)' : 'Star (F)'}
              pressed={medium.favourite}
              icon={
                <Star aria-hidden="true" className={medium.favourite ? 'size-4 fill-amber text-amber-text' : icon} />
              }
              onClick={onStar}
            />
          ) : null}
          {canChange ? (
            <IconButton
              label="Add to collection (A)"
              icon={<FolderPlus aria-hidden="true" className={icon} />}
              onClick={onCollect}
            />
          ) : null}
          <a
            href={downloadHref(medium.url)}
            download=""
            data-tooltip="Download"
            aria-label="Download"
            className="inline-flex size-9 flex-none items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:size-11"
          >
            <Download aria-hidden="true" className={icon} />
          </a>
          <BareDownloadMenu onDownload={() => void archive.downloadBare([medium])} />
          {canShare ? (
            <IconButton label="Share" icon={<Share2 aria-hidden="true" className={icon} />} onClick={onShare} />
          ) : null}
          {canChange ? (
            <IconButton label="Delete" icon={<Trash2 aria-hidden="true" className={icon} />} onClick={onDelete} />
          ) : null}
          <IconButton
            label="Lineage (L)"
            pressed={lineage}
            icon={<Workflow aria-hidden="true" className={icon} />}
            onClick={onLineage}
          />
          <IconButton
            label="Details (I)"
            pressed={details}
            icon={<Info aria-hidden="true" className={icon} />}
            onClick={onDetails}
          />
        </div>
      ) : null}
    </header>
  );
}
