import { Pause, Play, RotateCw, X, FolderOpen } from 'lucide-react';
import { type UploadItem, withUploadQueue } from './upload-store.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useRef } from 'react';
import { showToast } from '#web/ui/toast-store.ts';

const icon = { 'aria-hidden': true, className: 'size-4' } as const;

/** What can be done with a file on its way, as it is. */
export function UploadItemActions({ sending }: { sending: UploadItem }) {
  const { id, name, state, hold, again } = sending;
  const over = state === 'failed' || state === 'lost' || state === 'done';
  return (
    <span className="flex flex-none">
      {state === 'sending' || state === 'waiting' ? (
        <IconButton
          size="sm"
          label={`Pause ${name}`}
          icon={<Pause {...icon} />}
          onClick={() => withUploadQueue((engine) => engine.pause(id))}
        />
      ) : null}
      {hold !== null ? (
        <IconButton
          size="sm"
          label={hold === 'paused' ? `Go on with ${name}` : `Try ${name} now`}
          icon={hold === 'paused' ? <Play {...icon} /> : <RotateCw {...icon} />}
          onClick={() => withUploadQueue((engine) => engine.resume(id))}
        />
      ) : null}
      {state === 'failed' && again ? (
        <IconButton
          size="sm"
          label={`Send ${name} again`}
          icon={<RotateCw {...icon} />}
          onClick={() => withUploadQueue((engine) => engine.again(id))}
        />
      ) : null}
      {state === 'lost' ? <ReselectFileButton sending={sending} /> : null}
      <IconButton
        size="sm"
        label={over ? `Remove ${name}` : `Stop sending ${name}`}
        icon={<X {...icon} />}
        onClick={() => withUploadQueue((engine) => (state === 'done' ? engine.dismiss(id) : engine.remove(id)))}
      />
    </span>
  );
}

/** For a file that the page can't read any more: it is asked for, and its upload goes on where it was. */
function ReselectFileButton({ sending: { id, name, size_bytes } }: { sending: UploadItem }) {
  const input = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) => {
    if (!file) return;
    if (file.name === name && file.size === size_bytes) withUploadQueue((engine) => engine.goOnWith(id, file));
    else showToast({ title: 'That is another file', detail: `“${name}” is what was being sent.` });
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <IconButton
        size="sm"
        label={`Choose ${name} again`}
        icon={<FolderOpen aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
