import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { maskKey } from '#web/session/link-key.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { SecretBox } from '#web/ui/secret-box.tsx';
import { ShownOnceDialog } from '#web/ui/shown-once-dialog.tsx';

/** A key that was just created. */
export function NewKey({ created: { name, kind, key }, onClose }: { created: ApiKeyCreated; onClose: () => void }) {
  const link = `${window.location.origin}/sign-in#key=${encodeURIComponent(key)}`;
  return (
    <ShownOnceDialog
      title={`Key for “${name}”`}
      advice="Store it in a password manager, or hand it over now. It cannot be looked up again."
      onClose={onClose}
    >
      <SecretBox what="the key" secret={key} masked={maskKey(key)} />
      <div className="flex flex-wrap gap-2">
        <CopyButton labelled text={key} label="Copy key" />
        {kind === 'publishing' ? null : <CopyButton labelled text={link} label="Copy sign-in link" />}
      </div>
      {kind === 'publishing' ? null : (
        <p className="text-sm text-ink-3">
          Anyone who opens the sign-in link is signed in with this key. Send it as securely as the key itself.
        </p>
      )}
    </ShownOnceDialog>
  );
}
