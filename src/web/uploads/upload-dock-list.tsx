import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { UploadItemActions } from './upload-item-actions.tsx';
import { uploadItemLabel, uploadProgress } from './upload-item-labels.ts';
import type { UploadItem, UploadItemState } from './upload-store.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Progress } from '#web/ui/display/progress.tsx';

const MAX_SHOWN = 60;

const STATE_ORDER = {
  failed: 0,
  lost: 0,
  sending: 1,
  checking: 1,
  suspended: 1,
  waiting: 2,
  done: 3,
} satisfies Record<UploadItemState, number>;

export interface UploadDockListProps {
  items: readonly UploadItem[];
  onCancelAll: (() => void) | null;
  onRetry: (() => void) | null;
}

export function UploadDockList({ items, onCancelAll, onRetry }: UploadDockListProps) {
  const sorted = items.toSorted((a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state]);
  const visible = sorted.slice(0, MAX_SHOWN);
  const hiddenCount = sorted.length - visible.length;
  return (
    <>
      <ul
        aria-label="Files"
        className="max-h-[min(20rem,45dvh)] min-h-0 overflow-y-auto overscroll-contain border-t border-line"
      >
        {visible.map((item) => (
          <UploadDockRow key={item.id} item={item} />
        ))}
        {hiddenCount > 0 ? (
          <li className="px-3 py-2 text-xs text-ink-3">And {formatNumber(hiddenCount)} more.</li>
        ) : null}
      </ul>
      <div className="flex justify-end gap-1 border-t border-line p-1.5">
        {onRetry ? (
          <Button size="sm" variant="ghost" onClick={onRetry}>
            Retry failed
          </Button>
        ) : null}
        {onCancelAll ? (
          <Button size="sm" variant="ghost" onClick={onCancelAll}>
            Cancel all
          </Button>
        ) : null}
        <Link to="/uploads" className={buttonClass({ size: 'sm', variant: 'ghost' })}>
          View uploads
        </Link>
      </div>
    </>
  );
}

const UploadDockRow = memo(function UploadDockRow({ item }: { item: UploadItem }) {
  const { name, state, suspend_reason, upload_id } = item;
  const hasFailed = state === 'failed' || state === 'lost';
  const hasProgress =
    state === 'sending' || state === 'checking' || (state === 'suspended' && suspend_reason !== 'postponed');
  return (
    <li className="flex items-start gap-2 border-b border-line py-2 pr-1.5 pl-4 last:border-0 lg:pl-3">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-sm font-medium wrap-anywhere" data-tooltip={name}>
          {upload_id === null ? (
            name
          ) : (
            <Link to="/uploads" search={{ item: upload_id }} className="underline-offset-2 hover:underline">
              {name}
            </Link>
          )}
        </p>
        {hasProgress ? <Progress value={uploadProgress(item)} label={`Uploading ${name}`} className="my-1" /> : null}
        <p
          className={cx(
            'text-xs tabular-nums',
            hasFailed ? 'text-bad' : suspend_reason === 'postponed' ? 'text-ink-2' : 'text-ink-3',
          )}
        >
          {uploadItemLabel(item)}
        </p>
      </div>
      <UploadItemActions item={item} />
    </li>
  );
});
