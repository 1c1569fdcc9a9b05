import { ArchiveRestore, Trash2, X } from 'lucide-react';
import type { MediaItem } from '#contract/resources/media.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { totalBytes } from '#web/media/library/selection/selection.ts';
import { Button, ToolbarButton } from '#web/ui/button.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

interface TrashBarProps {
  selected: readonly MediaItem[];
  loadedCount: number;
  canChange: boolean;
  isRestoring: boolean;
  onAll: () => void;
  onClear: () => void;
  onRestore: () => void;
  onDelete: () => void;
}

export function TrashBar(props: TrashBarProps) {
  const { selected, loadedCount, canChange, isRestoring, onAll, onClear, onRestore, onDelete } = props;
  const isEmpty = selected.length === 0;
  return (
    <section
      aria-label="Selection"
      className="flex min-h-9 flex-wrap items-center gap-x-1.5 gap-y-2 pointer-coarse:min-h-11"
    >
      {isEmpty ? null : (
        <IconButton label="Clear selection" icon={<X aria-hidden="true" className="size-4" />} onClick={onClear} />
      )}
      <output className="mr-auto min-w-0 text-sm tabular-nums">
        <span className="font-semibold">{isEmpty ? 'Select files' : `${formatNumber(selected.length)} selected`}</span>
        <span className="text-ink-3">{isEmpty ? '' : ` · ${formatFileSize(totalBytes(selected))}`}</span>
      </output>
      {selected.length < loadedCount ? (
        <Button size="sm" variant="ghost" onClick={onAll}>
          <span className="@max-md:sr-only">Select all</span>
          <span aria-hidden="true" className="@md:hidden">
            All
          </span>{' '}
          {formatNumber(loadedCount)}
        </Button>
      ) : null}
      {canChange ? (
        <>
          <ToolbarButton
            icon={<ArchiveRestore aria-hidden="true" className="size-4" />}
            disabled={isEmpty}
            busy={isRestoring}
            onClick={onRestore}
          >
            Restore
          </ToolbarButton>
          <ToolbarButton icon={<Trash2 aria-hidden="true" className="size-4" />} disabled={isEmpty} onClick={onDelete}>
            Delete forever…
          </ToolbarButton>
        </>
      ) : null}
    </section>
  );
}
