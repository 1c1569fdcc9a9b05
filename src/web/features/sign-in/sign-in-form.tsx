import { useRef, useState, type ReactNode } from 'react';
import { KeyRound } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { RevealButton } from '#web/ui/reveal-button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { clearLinkToken, useLinkToken } from '#web/api/session/link-token.ts';
import { exchangeToken, exchangeKey } from '#web/api/session/exchange-key.ts';
import { signIn } from '#web/api/session/session.ts';

/** Signs in with the token of a link or with a key (pasted, or from a password manager). */
export function SignInForm({ onSignedIn, children }: { onSignedIn: () => void; children?: ReactNode }) {
  const token = useLinkToken();
  const [linkProblem, setLinkProblem] = useState<string>();
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState(false);
  const [remember, setRemember] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  const leaveLink = (problem?: string) => {
    clearLinkToken();
    setLinkProblem(problem);
    setError(undefined);
  };
  const fail = (reason: string) => {
    setError(reason);
    input.current?.focus();
  };
  const submit = async () => {
    const key = typed.trim();
    if (token === null && !key) return fail('Paste your key first.');
    setError(undefined);
    setBusy(true);
    const result = token === null ? await exchangeKey(key) : await exchangeToken(token);
    setBusy(false);
    if (result.outcome === 'refused' && token !== null) return leaveLink(result.reason);
    if (result.outcome !== 'opened') return fail(result.reason);
    clearLinkToken();
    const scope = remember ? 'device' : 'tab';
    signIn(result.secret, result.storable ? scope : 'page');
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
      {token === null ? (
        <>
          {linkProblem ? (
            <Callout tone="bad" title={linkProblem}>
              A link works once. Ask for a new one, or sign in with a key. On the machine that runs the service, this
              command prints a link: <code className="font-mono whitespace-nowrap">npm run admin -- sign-in</code>
            </Callout>
          ) : null}
          <input type="text" name="username" autoComplete="username" value="Emulsion" readOnly hidden />
          <Field label="Key" error={error} hint={error ? undefined : 'It starts with mgs_org_ or mgs_usr_.'}>
            <TextInput
              ref={input}
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
              suffix={<RevealButton what="the key" shown={shown} onChange={setShown} className="-mr-1" />}
            />
          </Field>
        </>
      ) : error ? (
        <Callout tone="bad" title="You are not signed in yet">
          {error}
        </Callout>
      ) : null}
      <Checkbox
        checked={remember}
        onChange={setRemember}
        label="Stay signed in on this device"
        hint="Otherwise you are signed out when you close this tab."
      />
      <Button type="submit" variant="primary" busy={busy} className="w-full">
        Sign in
      </Button>
      {token === null ? null : (
        <Button variant="ghost" disabled={busy} onClick={() => leaveLink()}>
          Use a key instead
        </Button>
      )}
      {children}
    </form>
  );
}
