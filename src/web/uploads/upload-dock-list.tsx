import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { UploadItemActions } from './upload-item-actions.tsx';
import { uploadItemLabel, uploadProgress } from './upload-item-labels.ts';
import type { UploadItem, UploadItemState } from './upload-store.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Progress } from '#web/ui/progress.tsx';

const MAX_SHOWN = 60;

/** What needs a person first, then what moves, what waits, and what is over. */
const STATE_ORDER = {
  failed: 0,
  lost: 0,
  sending: 1,
  checking: 1,
  held: 1,
  waiting: 2,
  done: 3,
} satisfies Record<UploadItemState, number>;

export interface UploadDockListProps {
  sendings: readonly UploadItem[];
  /** null: there is nothing to stop but each by itself. */
  onStopAll: (() => void) | null;
  /** null: nothing failed that may arrive another time. */
  onRetry: (() => void) | null;
}

/** The files one by one. */
export function UploadDockList({ sendings, onStopAll, onRetry }: UploadDockListProps) {
  const sorted = sendings.toSorted((a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state]);
  const shown = sorted.slice(0, MAX_SHOWN);
  const more = sorted.length - shown.length;
  return (
    <>
      <ul
        aria-label="Files"
        className="max-h-[min(20rem,45dvh)] min-h-0 overflow-y-auto overscroll-contain border-t border-line"
      >
        {shown.map((sending) => (
          <UploadDockRow key={sending.id} sending={sending} />
        ))}
        {more > 0 ? <li className="px-3 py-2 text-xs text-ink-3">And {formatNumber(more)} more.</li> : null}
      </ul>
      <div className="flex justify-end gap-1 border-t border-line p-1.5">
        {onRetry ? (
          <Button size="sm" variant="ghost" onClick={onRetry}>
            Send failed ones again
          </Button>
        ) : null}
        {onStopAll ? (
          <Button size="sm" variant="ghost" onClick={onStopAll}>
            Stop all
          </Button>
        ) : null}
        <Link to="/uploads" className={buttonClass({ size: 'sm', variant: 'ghost' })}>
          See uploads
        </Link>
      </div>
    </>
  );
}

const UploadDockRow = memo(function UploadDockRow({ sending }: { sending: UploadItem }) {
  const { name, state, hold, upload_id } = sending;
  const stuck = state === 'failed' || state === 'lost';
  const moves = state === 'sending' || state === 'checking' || (state === 'held' && hold !== 'postponed');
  return (
    <li className="flex items-start gap-2 border-b border-line py-2 pr-1.5 pl-4 last:border-0 lg:pl-3">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium" data-tooltip={name}>
          {upload_id === null ? (
            name
          ) : (
            <Link to="/uploads/$id" params={{ id: upload_id }} className="underline-offset-2 hover:underline">
              {name}
            </Link>
          )}
        </p>
        {moves ? <Progress value={uploadProgress(sending)} label={`Sending ${name}`} className="my-1" /> : null}
        <p
          className={cx(
            'text-xs tabular-nums',
            stuck ? 'text-bad' : hold === 'postponed' ? 'text-ink-2' : 'text-ink-3',
          )}
        >
          {uploadItemLabel(sending)}
        </p>
      </div>
      <UploadItemActions sending={sending} />
    </li>
  );
});
