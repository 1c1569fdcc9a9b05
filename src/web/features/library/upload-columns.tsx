import { Link } from '@tanstack/react-router';
import { use } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { RowCreator } from '#web/collections/creator.tsx';
import { type Column, ROW_LINK } from '#web/collections/list-columns.ts';
import { formatFileSize, formatMediaMeasures } from '#web/media/format-media.ts';
import { MEDIA_TYPE_LABELS, mediaTitle } from '#web/media/library/media-labels.ts';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { LibraryRowsContext } from './library-rows.ts';

const THUMB_PX = 48;

interface CellProps {
  upload: MediaItem;
}

function TickCell({ upload }: CellProps) {
  const rows = use(LibraryRowsContext);
  const title = mediaTitle(upload, useCatalogNames());
  if (!rows) return null;
  return (
    <label className="-m-2 flex p-2">
      <input
        type="checkbox"
        className="tick"
        aria-label={`Select ${title}`}
        checked={rows.selected.has(upload.id)}
        // Change events don't tell whether Shift is held, so the click handler selects.
        onChange={() => undefined}
        onClick={(event) => rows.actions[event.shiftKey ? 'extend' : 'toggle'](upload)}
      />
    </label>
  );
}

function NameCell({ upload }: CellProps) {
  const rows = use(LibraryRowsContext);
  const title = mediaTitle(upload, useCatalogNames());
  return (
    <Link
      from="/uploads"
      to="/uploads"
      search={(before) => ({ ...before, item: upload.id })}
      resetScroll={false}
      {...ROW_LINK}
      dir="auto"
      onClick={(event) => {
        // With a selection, a shift-click on a row extends it.
        if (!event.shiftKey || !rows || rows.selected.size === 0) return;
        event.preventDefault();
        rows.actions.extend(upload);
      }}
      className={cx(
        ROW_LINK.className,
        'block truncate font-medium @3xl:line-clamp-2 @3xl:wrap-anywhere @3xl:whitespace-normal',
      )}
    >
      {title}
    </Link>
  );
}

const formatMeasures = (upload: MediaItem): string =>
  [MEDIA_TYPE_LABELS[upload.type], formatMediaMeasures({ ...upload, name: null })].filter(Boolean).join(' · ');

function UsesCell({ upload: { used_by_count: count } }: CellProps) {
  if (count === undefined) return null;
  return (
    <>
      <span className="aloud">Used by: </span>
      <span className={count > 0 ? 'text-ink-2' : 'text-ink-3'}>
        {count === 0 ? 'Not used yet' : `${formatNumber(count)} ${count === 1 ? 'generation' : 'generations'}`}
      </span>
    </>
  );
}

function TimeCell({ upload }: CellProps) {
  const removalTime = use(LibraryRowsContext)?.formatRetention(upload);
  return (
    <>
      <RelativeTime at={upload.created_at} className={removalTime ? '@max-3xl:hidden' : undefined} />
      {removalTime ? <span className="truncate text-xs text-amber-text">{removalTime}</span> : null}
      <RowCreator created_by={upload.created_by} className="@max-3xl:hidden" />
    </>
  );
}

function DownloadCell({ upload }: CellProps) {
  return <DownloadLink url={upload.url} size="md" label={`Download ${mediaTitle(upload, useCatalogNames())}`} />;
}

export const UPLOAD_COLUMNS: readonly Column<MediaItem>[] = [
  {
    id: 'tick',
    width: '1.25rem',
    className: 'relative z-1',
    skeleton: 'size-4',
    cell: (upload) => <TickCell upload={upload} />,
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
        <RowCreator created_by={upload.created_by} isCompact className="absolute -right-1 -bottom-1 z-1 @3xl:hidden" />
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
    cell: (upload) => <NameCell upload={upload} />,
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
        <span className="hidden @md:inline">{formatMeasures(upload)}</span>
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
    cell: (upload) => <UsesCell upload={upload} />,
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
    cell: (upload) => <TimeCell upload={upload} />,
  },
  {
    id: 'action',
    width: '2.25rem',
    className: 'relative z-1',
    cell: (upload) => <DownloadCell upload={upload} />,
  },
];
