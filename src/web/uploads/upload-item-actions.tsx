import { Pause, Play, RotateCw, X } from 'lucide-react';
import { ReselectFileButton } from './reselect-file-button.tsx';
import { type UploadItem, withUploadQueue } from './upload-store.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

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
