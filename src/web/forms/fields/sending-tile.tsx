import { RotateCw, Upload, X } from 'lucide-react';
import { sizeWords } from '#web/forms/media-words.ts';
import type { Sending, UploadTray } from '#web/forms/upload-tray.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Progress } from '#web/ui/progress.tsx';

/** A file on its way, or one that did not arrive. */
export function SendingTile({ sending, tray }: { sending: Sending; tray: UploadTray }) {
  const { id, name, size_bytes, progress, problem, again } = sending;
  return (
    <li
      className={cx(
        'relative flex min-w-0 flex-col gap-1.5 rounded-md border bg-surface p-2',
        problem ? 'border-bad' : 'border-dashed border-line-strong',
      )}
    >
      <div className="flex items-center justify-between">
        <Upload aria-hidden="true" className="size-4 text-ink-3" />
        <span className="-mr-1 flex">
          {problem && again ? (
            <IconButton
              size="sm"
              label={`Send ${name} again`}
              icon={<RotateCw aria-hidden="true" className="size-4" />}
              onClick={() => tray.again(id)}
            />
          ) : null}
          <IconButton
            size="sm"
            label={problem ? `Remove ${name}` : `Stop sending ${name}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => tray.remove(id)}
          />
        </span>
      </div>
      <p className="truncate text-xs font-medium" data-tooltip={name}>
        {name}
      </p>
      {problem ? (
        <p role="alert" className="text-xs text-bad">
          {problem}
        </p>
      ) : (
        <>
          <Progress value={progress >= 1 ? null : progress} label={`Sending ${name}`} />
          <p className="text-xs text-ink-3 tabular-nums">
            {progress >= 1 ? 'Checking…' : `${Math.floor(progress * 100)}% of ${sizeWords(size_bytes)}`}
          </p>
        </>
      )}
    </li>
  );
}
