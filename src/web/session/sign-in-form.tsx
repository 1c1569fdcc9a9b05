import { useState, type ReactNode } from 'react';
import { KeyRound } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { EyeButton } from '#web/ui/eye-button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { dropLinkKey, maskKey, readLinkKey } from '#web/session/link-key.ts';
import { signIn } from '#web/session/session.ts';
import { verifyKey } from '#web/session/verify-key.ts';

/** Takes a key (pasted, from a password manager, or from a one-time link), checks it with the service and signs in. */
export function SignInForm({ onSignedIn, children }: { onSignedIn: () => void; children?: ReactNode }) {
  const [linked, setLinked] = useState(readLinkKey);
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState(false);
  const [remember, setRemember] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const submit = async () => {
    const key = (linked ?? typed).trim();
    if (!key) return setError('Paste your key first.');
    setBusy(true);
    const answer = await verifyKey(key);
    setBusy(false);
    if (answer.verdict !== 'accepted') return setError(answer.reason);
    dropLinkKey();
    signIn(key, { remember });
    onSignedIn();
  };

  return (
    <form
      method="post"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <input type="text" name="username" autoComplete="username" value="Emulsion" readOnly hidden />
      {linked === null ? (
        <Field label="Key" error={error} hint={error ? undefined : 'It starts with mgs_org_ or mgs_usr_.'}>
          <TextInput
            type={shown ? 'text' : 'password'}
            name="password"
            autoComplete="current-password"
            autoCapitalize="none"
            spellCheck={false}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do here, on a page or in a window of its own
            autoFocus
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setError(undefined);
            }}
            prefix={<KeyRound aria-hidden="true" className="size-4" />}
            suffix={<EyeButton what="the key" shown={shown} onChange={setShown} className="-mr-1" />}
          />
        </Field>
      ) : (
        <Field label="Key from your link" error={error} group>
          <p className="flex items-center justify-between gap-3 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3">
            <span className="truncate font-mono text-sm">{maskKey(linked)}</span>
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                dropLinkKey();
                setLinked(null);
                setError(undefined);
              }}
            >
              Use another
            </Button>
          </p>
        </Field>
      )}
      <Checkbox
        checked={remember}
        onChange={setRemember}
        label="Stay signed in on this device"
        hint="Otherwise the key is forgotten when you close or reload this tab."
      />
      <Button type="submit" variant="primary" busy={busy} className="w-full">
        Sign in
      </Button>
      {children}
    </form>
  );
}
