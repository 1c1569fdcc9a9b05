import { Upload } from 'lucide-react';
import { UploadItemActions } from '#web/uploads/upload-item-actions.tsx';
import { uploadItemLabel, uploadProgress } from '#web/uploads/upload-item-labels.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';
import { cx } from '#web/ui/cx.ts';
import { Progress } from '#web/ui/progress.tsx';

/** A file on its way, or one that did not arrive. */
export function UploadItemTile({ sending }: { sending: UploadItem }) {
  const { name, state, suspend_reason } = sending;
  const postponed = suspend_reason === 'postponed';
  const stuck = state === 'failed' || state === 'lost';
  return (
    <li
      className={cx(
        'relative flex min-w-0 flex-col gap-1.5 rounded-md border bg-surface p-2',
        stuck ? 'border-bad' : 'border-dashed border-line-strong',
      )}
    >
      <div className="-mr-1 flex items-center justify-between">
        <Upload aria-hidden="true" className="size-4 text-ink-3" />
        <UploadItemActions item={sending} />
      </div>
      <p dir="auto" className="truncate text-xs font-medium" data-tooltip={name}>
        {name}
      </p>
      {stuck || postponed ? null : <Progress value={uploadProgress(sending)} label={`Uploading ${name}`} />}
      <p
        role={stuck || postponed ? 'alert' : undefined}
        className={cx('text-xs tabular-nums', stuck ? 'text-bad' : postponed ? 'text-ink-2' : 'text-ink-3')}
      >
        {uploadItemLabel(sending)}
      </p>
    </li>
  );
}
