import { Pause, Play, RotateCw, X, FolderOpen } from 'lucide-react';
import { withUploadQueue } from './enqueue-uploads.ts';
import type { UploadItem } from './upload-store.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import { useRef } from 'react';
import { showToast } from '#web/ui/overlays/toast-store.ts';

const icon = { 'aria-hidden': true, className: 'size-4' } as const;

export function UploadItemActions({ item }: { item: UploadItem }) {
  const { id, name, state, suspend_reason, can_retry } = item;
  const isSettled = state === 'failed' || state === 'lost' || state === 'done';
  return (
    <span className="flex flex-none">
      {state === 'sending' || state === 'waiting' ? (
        <IconButton
          size="sm"
          label={`Pause ${name}`}
          icon={<Pause {...icon} />}
          onClick={() => withUploadQueue((queue) => queue.pause(id))}
        />
      ) : null}
      {suspend_reason !== null ? (
        <IconButton
          size="sm"
          label={suspend_reason === 'paused' ? `Resume ${name}` : `Retry ${name} now`}
          icon={suspend_reason === 'paused' ? <Play {...icon} /> : <RotateCw {...icon} />}
          onClick={() => withUploadQueue((queue) => queue.resume(id))}
        />
      ) : null}
      {state === 'failed' && can_retry ? (
        <IconButton
          size="sm"
          label={`Retry ${name}`}
          icon={<RotateCw {...icon} />}
          onClick={() => withUploadQueue((queue) => queue.retry(id))}
        />
      ) : null}
      {state === 'lost' ? <ReselectFileButton item={item} /> : null}
      <IconButton
        size="sm"
        label={isSettled ? `Remove ${name}` : `Cancel ${name}`}
        icon={<X {...icon} />}
        onClick={() => withUploadQueue((queue) => (state === 'done' ? queue.dismiss(id) : queue.remove(id)))}
      />
    </span>
  );
}

function ReselectFileButton({ item: { id, name, size_bytes } }: { item: UploadItem }) {
  const input = useRef<HTMLInputElement>(null);
  const resume = (file: File | undefined) => {
    if (!file) return;
    if (file.name === name && file.size === size_bytes) withUploadQueue((queue) => queue.resumeWithFile(id, file));
    else showToast({ title: 'Different file', detail: `Choose “${name}” to resume this upload.` });
  };
  return (
    <>
      <FileInput ref={input} onChoose={([chosen]) => resume(chosen)} />
      <IconButton
        size="sm"
        label={`Choose ${name} again`}
        icon={<FolderOpen aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
