import { Upload } from 'lucide-react';
import { UploadItemActions } from '#web/uploads/upload-item-actions.tsx';
import { uploadItemLabel, uploadProgress } from '#web/uploads/upload-item-labels.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';
import { cx } from '#web/ui/cx.ts';
import { Progress } from '#web/ui/display/progress.tsx';

export function UploadItemTile({ item }: { item: UploadItem }) {
  const { name, state, suspend_reason } = item;
  const isPostponed = suspend_reason === 'postponed';
  const hasFailed = state === 'failed' || state === 'lost';
  return (
    <li
      className={cx(
        'relative flex min-w-0 flex-col gap-1.5 rounded-md border bg-surface p-2',
        hasFailed ? 'border-bad' : 'border-dashed border-line-strong',
      )}
    >
      <div className="-mr-1 flex items-center justify-between">
        <Upload aria-hidden="true" className="size-4 text-ink-3" />
        <UploadItemActions item={item} />
      </div>
      <p dir="auto" className="truncate text-xs font-medium" data-tooltip={name}>
        {name}
      </p>
      {hasFailed || isPostponed ? null : <Progress value={uploadProgress(item)} label={`Uploading ${name}`} />}
      <p
        role={hasFailed || isPostponed ? 'alert' : undefined}
        className={cx('text-xs tabular-nums', hasFailed ? 'text-bad' : isPostponed ? 'text-ink-2' : 'text-ink-3')}
      >
        {uploadItemLabel(item)}
      </p>
    </li>
  );
}
