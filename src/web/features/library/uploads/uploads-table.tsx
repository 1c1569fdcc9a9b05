import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { ListedUpload } from '#contract/resources/upload.ts';
import { RowCreator } from '#web/collections/creator.tsx';
import type { useUploadList } from '#web/api/queries/uploads.ts';
import type { Column } from '#web/collections/list-columns.ts';
import { ResourceList } from '#web/collections/resource-list.tsx';
import { formatFileSize } from '#web/media/format-media.ts';
import { MEDIA_TYPE_LABELS } from '#web/media/library/media-labels.ts';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { formatTimeUntilRemoval } from '#web/media/library/retention-date.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { cx } from '#web/ui/cx.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import type { useListCursor } from '#web/ui/use-list-cursor.ts';
import { formatUseCount, uploadName, uploadSummary } from './upload-labels.ts';

const THUMB_PX = 48;
const NARROW = {
  columns: '1.25rem 3rem minmax(0,1fr) auto auto',
  areas: ['tick thumb text text action', 'tick thumb measure time action'],
};

export interface UploadsTableProps {
  list: ReturnType<typeof useUploadList>;
  openId: string | undefined;
  cursor: ReturnType<typeof useListCursor>;
  selected: ReadonlyMap<string, unknown>;
  /** @param range selects all rows from the last selected one */
  onSelect: (upload: ListedUpload, range: boolean) => void;
  coveredPx: number;
  empty: ReactNode;
}

export function UploadsTable({ list, openId, cursor, selected, onSelect, coveredPx, empty }: UploadsTableProps) {
  const { onFocus } = cursor;
  const columns = useColumns({ openId, selected, onSelect, onFocus });
  const rowProps = useCallback(
    ({ id }: ListedUpload) => ({
      className: cx(
        selected.has(id) && 'bg-amber-soft!',
        id === openId && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
      ),
    }),
    [selected, openId],
  );
  return (
    <ResourceList
      label="Uploads"
      list={list}
      columns={columns}
      narrow={NARROW}
      rowRem={4.25}
      what="Your uploads"
      older="Older uploads"
      loadingLabel="Loading uploads"
      skeletonRows={10}
      empty={empty}
      cursor={cursor}
      coveredPx={coveredPx}
      rowProps={rowProps}
    />
  );
}

type ColumnOptions = Pick<UploadsTableProps, 'openId' | 'selected' | 'onSelect'> & { onFocus: (id: string) => void };

function useColumns({ openId, selected, onSelect, onFocus }: ColumnOptions): readonly Column<ListedUpload>[] {
  const [nowMs] = useState(() => Date.now());
  return useMemo(
    () => [
      {
        id: 'tick',
        width: '1.25rem',
        className: 'relative z-1',
        skeleton: 'size-4',
        cell: (upload) => (
          <label className="-m-2 flex p-2">
            <input
              type="checkbox"
              className="tick"
              aria-label={`Select ${uploadName(upload)}`}
              checked={selected.has(upload.id)}
              // Change events don't tell whether Shift is held, so the click handler selects.
              onChange={() => undefined}
              onClick={(event) => onSelect(upload, event.shiftKey)}
              onFocus={() => onFocus(upload.id)}
            />
          </label>
        ),
      },
      {
        id: 'thumb',
        width: '3rem',
        className: 'relative',
        skeleton: 'size-12',
        cell: (upload) => (
          <>
            <div className="relative size-12 overflow-hidden rounded-sm bg-sunken">
              <MediaThumbnail medium={upload} widthPx={THUMB_PX} />
            </div>
            <RowCreator
              created_by={upload.created_by}
              isCompact
              className="absolute -right-1 -bottom-1 z-1 @3xl:hidden"
            />
          </>
        ),
      },
      {
        id: 'text',
        header: 'Name',
        width: 'minmax(0,1fr)',
        line: 1,
        className: 'min-w-0 pb-0.5',
        skeleton: 'text',
        cell: (upload) => (
          <Link
            to="/uploads/$id"
            params={{ id: upload.id }}
            search={(search) => search}
            resetScroll={false}
            replace={upload.id === openId}
            data-row=""
            dir="auto"
            aria-current={upload.id === openId || undefined}
            onFocus={() => onFocus(upload.id)}
            onClick={(event) => {
              // With a selection, a shift-click on a row extends it.
              if (!event.shiftKey || selected.size === 0) return;
              event.preventDefault();
              onSelect(upload, true);
            }}
            className="block truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus @3xl:line-clamp-2 @3xl:wrap-anywhere @3xl:whitespace-normal"
          >
            {uploadName(upload)}
          </Link>
        ),
      },
      {
        id: 'measure',
        header: 'Type and dimensions',
        width: '11rem',
        line: 2,
        className: 'min-w-0 truncate pt-0.5 text-sm text-ink-2 tabular-nums',
        skeleton: 'h-4 w-28',
        cell: (upload) => (
          <>
            <span className="@md:hidden">{MEDIA_TYPE_LABELS[upload.type]}</span>
            <span className="hidden @md:inline">{uploadSummary(upload)}</span>
            <span className="text-ink-3 @3xl:hidden">
              {' · '}
              {formatFileSize(upload.size_bytes)}
            </span>
            {upload.used_by_count ? (
              <span className="hidden text-ink-3 @md:inline @3xl:hidden">
                {` · used ${upload.used_by_count === 1 ? 'once' : `${upload.used_by_count} times`}`}
              </span>
            ) : null}
          </>
        ),
      },
      {
        id: 'size',
        header: 'Size',
        width: '4.5rem',
        from: 'wide',
        align: 'right',
        className: 'text-sm text-ink-2 tabular-nums',
        skeleton: 'h-4 w-14',
        cell: ({ size_bytes }) => (
          <>
            <span className="aloud">Size: </span>
            {formatFileSize(size_bytes)}
          </>
        ),
      },
      {
        id: 'uses',
        header: 'Used by',
        width: '7rem',
        from: 'wide',
        align: 'right',
        className: 'min-w-0 truncate text-sm tabular-nums',
        skeleton: 'h-4 w-20',
        cell: (upload) => {
          const uses = formatUseCount(upload);
          return uses ? (
            <>
              <span className="aloud">Used by: </span>
              <span className={upload.used_by_count ? 'text-ink-2' : 'text-ink-3'}>{uses}</span>
            </>
          ) : null;
        },
      },
      {
        id: 'time',
        header: 'Uploaded',
        width: '6rem',
        line: 2,
        align: 'right',
        className:
          'relative z-1 flex min-w-0 items-center justify-end gap-2 pt-0.5 text-sm text-ink-3 @3xl:flex-col @3xl:items-end @3xl:justify-center @3xl:gap-0.5',
        skeleton: 'h-4 w-14',
        cell: ({ created_at, created_by, kept_until }) => {
          const removalTime = formatTimeUntilRemoval(kept_until, nowMs);
          return (
            <>
              <RelativeTime at={created_at} className={removalTime ? '@max-3xl:hidden' : undefined} />
              {removalTime ? <span className="truncate text-xs text-amber-text">{removalTime}</span> : null}
              <RowCreator created_by={created_by} className="@max-3xl:hidden" />
            </>
          );
        },
      },
      {
        id: 'action',
        width: '2.25rem',
        className: 'relative z-1',
        cell: (upload) => <DownloadLink url={upload.url} size="md" label={`Download ${uploadName(upload)}`} />,
      },
    ],
    [openId, selected, onSelect, onFocus, nowMs],
  );
}
