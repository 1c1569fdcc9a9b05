import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { maskKey } from '#web/session/link-key.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

/** A key that was just made: the only time it is to be had. */
export function NewKey({ made: { name, kind, key }, onClose }: { made: ApiKeyCreated; onClose: () => void }) {
  const [shown, setShown] = useState(false);
  const [stored, setStored] = useState(false);
  const link = `${window.location.origin}/sign-in#key=${encodeURIComponent(key)}`;
  return (
    <Dialog
      open
      persistent
      title={`Key for “${name}”`}
      onClose={onClose}
      footer={
        <Button variant="primary" disabled={!stored} onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Callout tone="amber" title="It is shown this once">
          Store it in a password manager, or hand it over now. Nobody can look it up again.
        </Callout>
        <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
            {shown ? key : maskKey(key)}
          </code>
          <IconButton
            size="sm"
            label={shown ? 'Hide the key' : 'Show the key'}
            icon={
              shown ? <EyeOff aria-hidden="true" className="size-4" /> : <Eye aria-hidden="true" className="size-4" />
            }
            onClick={() => setShown(!shown)}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <CopyButton labelled text={key} label="Copy key" />
          {kind === 'publishing' ? null : <CopyButton labelled text={link} label="Copy sign-in link" />}
        </div>
        {kind === 'publishing' ? null : (
          <p className="text-sm text-ink-3">
            Whoever opens the sign-in link is signed in with this key. Send it as you would send the key.
          </p>
        )}
        <Checkbox checked={stored} onChange={setStored} label="I have stored it" />
      </div>
    </Dialog>
  );
}
