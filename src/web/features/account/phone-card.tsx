import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#web/api/api.ts';
import { sessionsQuery } from '#web/api/queries/account.ts';
import { requestSignInAgain, useHasRecentSignIn } from '#web/api/session/sign-in-again.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';

/** A link that signs in once, as a path of squares that a camera reads. */
interface PhoneCode {
  url: string;
  expires_at: string;
  size: number;
  path: string;
}

async function createCode(): Promise<PhoneCode> {
  const [{ encode }, { token, expires_at }] = await Promise.all([import('uqr'), api.call('create_sign_in_token')]);
  const url = `${window.location.origin}/sign-in#token=${token}`;
  const { data, size } = encode(url, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return { url, expires_at, size, path };
}

const LOCAL_HOST = /^(?:localhost|127\.|\[::1\])/;

/** Shows a code that signs in another device as the same person. */
export function PhoneCard() {
  const isRecent = useHasRecentSignIn();
  const { data: code, mutate, isPending, error, reset } = useMutation({ mutationFn: createCode, gcTime: 0 });
  return (
    <Card
      id="phone"
      title="Sign in on your phone"
      description="Scan a code with its camera. It works once, within five minutes."
      actions={
        code ? null : isRecent ? (
          <Button busy={isPending} onClick={() => mutate()}>
            Show code
          </Button>
        ) : (
          <Button onClick={requestSignInAgain}>Sign in again to show a code</Button>
        )
      }
    >
      {LOCAL_HOST.test(window.location.hostname) ? (
        <p className="text-ink-2">
          This address works on this machine only. Open the studio at an address that your phone reaches first.
        </p>
      ) : code ? null : (
        <p className="text-ink-2">The code is a key to your account: show it to nobody.</p>
      )}
      {code ? <CodeView key={code.url} code={code} onDone={reset} /> : null}
      <div role="alert" className="empty:hidden">
        <ErrorText>{error?.message}</ErrorText>
      </div>
    </Card>
  );
}

function CodeView({ code: { url, expires_at, size, path }, onDone }: { code: PhoneCode; onDone: () => void }) {
  const [isOver, setOver] = useState(false);
  // The new session in the list below tells that it was used.
  useQuery({ ...sessionsQuery, refetchInterval: 3_000 });
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Date.parse(expires_at) - Date.now());
    return () => clearTimeout(timer);
  }, [expires_at]);
  if (isOver)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p>This code has expired.</p>
        <Button onClick={onDone}>Close</Button>
      </div>
    );
  return (
    <div className="mt-3 flex flex-wrap items-end gap-4 first:mt-0">
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img would need data: in the content policy
        role="img"
        aria-label="Code that signs in your phone"
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="size-52 rounded-md bg-white fill-black"
      >
        <path d={path} />
      </svg>
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={onDone}>Done</Button>
        <CopyButton text={url} label="Copy sign-in link" />
      </div>
    </div>
  );
}
