import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import type { ListedUpload } from '#contract/resources/upload.ts';
import { RowCreator } from '#web/api/creator.tsx';
import { formatFileSize } from '#web/media/format-media.ts';
import { MEDIA_TYPE_LABELS } from '#web/media/library/media-labels.ts';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { formatTimeUntilRemoval } from '#web/media/library/retention-date.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { cx } from '#web/ui/cx.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { uploadName, uploadSummary, formatUseCount } from './upload-labels.ts';

/** Two lines in narrow containers, columns in wide ones. The virtual list needs a fixed row height. */
export const uploadRowGrid = cx(
  "grid items-center gap-x-3 px-1 @md:px-3 [grid-template-areas:'tick_thumb_text_text_action'_'tick_thumb_measure_time_action'] grid-cols-[1.25rem_3rem_minmax(0,1fr)_auto_auto]",
  "@3xl:[grid-template-areas:'tick_thumb_text_measure_size_uses_time_action'] @3xl:grid-cols-[1.25rem_3rem_minmax(0,1fr)_11rem_4.5rem_7rem_6rem_2.25rem] @3xl:gap-x-4",
);

interface UploadTableRowProps {
  upload: ListedUpload;
  is_open: boolean;
  is_selected: boolean;
  /** With a selection, a shift-click on a row extends it. */
  any_selected: boolean;
  onSelect: (upload: ListedUpload, range: boolean) => void;
  onFocus: (id: string) => void;
}

const THUMB_PX = 48;

export const UploadTableRow = memo(function UploadTableRow(props: UploadTableRowProps) {
  const { upload, is_open, is_selected, any_selected, onSelect, onFocus } = props;
  const { id, url, size_bytes, created_at, created_by, kept_until } = upload;
  const name = uploadName(upload);
  const uses = formatUseCount(upload);
  const [now_ms] = useState(() => Date.now());
  const removalTime = formatTimeUntilRemoval(kept_until, now_ms);
  return (
    <div
      data-row-id={id}
      className={cx(
        uploadRowGrid,
        'relative h-full border-b border-line transition-colors hover:bg-hover has-[a[data-row]:focus-visible]:bg-hover',
        is_selected && 'bg-amber-soft!',
        is_open && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
      )}
    >
      <label className="relative z-1 -m-2 flex p-2 [grid-area:tick]">
        <input
          type="checkbox"
          className="tick"
          aria-label={`Select ${name}`}
          checked={is_selected}
          // Change events don't tell whether Shift is held, so the click handler selects.
          onChange={() => undefined}
          onClick={(event) => onSelect(upload, event.shiftKey)}
          onFocus={() => onFocus(id)}
        />
      </label>
      <div className="relative [grid-area:thumb]">
        <div className="relative size-12 overflow-hidden rounded-sm bg-sunken">
          <MediaThumbnail medium={upload} width_px={THUMB_PX} />
        </div>
        <RowCreator created_by={created_by} is_compact className="absolute -right-1 -bottom-1 z-1 @3xl:hidden" />
      </div>
      <div className="min-w-0 self-end pb-0.5 [grid-area:text] @3xl:self-center @3xl:pb-0">
        <Link
          to="/uploads/$id"
          params={{ id }}
          search={(search) => search}
          resetScroll={false}
          replace={is_open}
          data-row=""
          dir="auto"
          aria-current={is_open || undefined}
          onFocus={() => onFocus(id)}
          onClick={(event) => {
            if (!event.shiftKey || !any_selected) return;
            event.preventDefault();
            onSelect(upload, true);
          }}
          className="block truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus @3xl:line-clamp-2 @3xl:wrap-anywhere @3xl:whitespace-normal"
        >
          {name}
        </Link>
      </div>
      <div className="min-w-0 self-start truncate pt-0.5 text-sm text-ink-2 tabular-nums [grid-area:measure] @3xl:self-center @3xl:pt-0">
        <span className="@md:hidden">{MEDIA_TYPE_LABELS[upload.type]}</span>
        <span className="hidden @md:inline">{uploadSummary(upload)}</span>
        <span className="text-ink-3 @3xl:hidden">
          {' · '}
          {formatFileSize(size_bytes)}
        </span>
        {upload.used_by_count ? (
          <span className="hidden text-ink-3 @md:inline @3xl:hidden">
            {` · used ${upload.used_by_count === 1 ? 'once' : `${upload.used_by_count} times`}`}
          </span>
        ) : null}
      </div>
      <div className="hidden text-right text-sm text-ink-2 tabular-nums [grid-area:size] @3xl:block">
        <span className="aloud">Size: </span>
        {formatFileSize(size_bytes)}
      </div>
      <div className="hidden min-w-0 truncate text-right text-sm tabular-nums [grid-area:uses] @3xl:block">
        {uses ? (
          <>
            <span className="aloud">Used by: </span>
            <span className={upload.used_by_count ? 'text-ink-2' : 'text-ink-3'}>{uses}</span>
          </>
        ) : null}
      </div>
      <div className="relative z-1 flex min-w-0 items-center justify-end gap-2 self-start pt-0.5 text-sm text-ink-3 [grid-area:time] @3xl:flex-col @3xl:items-end @3xl:justify-center @3xl:gap-0.5 @3xl:self-center @3xl:pt-0">
        <RelativeTime at={created_at} className={removalTime ? '@max-3xl:hidden' : undefined} />
        {removalTime ? <span className="truncate text-xs text-amber-text">{removalTime}</span> : null}
        <RowCreator created_by={created_by} className="@max-3xl:hidden" />
      </div>
      <div className="relative z-1 [grid-area:action]">
        <DownloadLink url={url} size="md" label={`Download ${name}`} />
      </div>
    </div>
  );
});
