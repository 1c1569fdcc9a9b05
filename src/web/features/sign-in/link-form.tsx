import { useState } from 'react';
import { clearLinkToken } from '#web/api/session/link-token.ts';
import { signInWithLink } from '#web/api/session/open-session.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';

interface LinkFormProps {
  token: string;
  onSignedIn: () => void;
  /** @param problem why the link does not work; undefined: the person prefers another way */
  onLeave: (problem?: string) => void;
}

/** Signs in with the token of a link, which works once: so not before the person asks for it. */
export function LinkForm({ token, onSignedIn, onLeave }: LinkFormProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const leave = (reason?: string) => {
    clearLinkToken();
    onLeave(reason);
  };
  const submit = async () => {
    setBusy(true);
    const result = await signInWithLink(token);
    if (result.outcome === 'refused') return leave(result.reason);
    setBusy(false);
    if (result.outcome === 'unknown') return setProblem(result.reason);
    clearLinkToken();
    onSignedIn();
  };
  return (
    <div className="flex flex-col gap-4">
      {problem ? (
        <Callout tone="bad" title="You are not signed in yet">
          {problem}
        </Callout>
      ) : null}
      <Button variant="primary" busy={isBusy} className="w-full" onClick={() => void submit()}>
        Sign in
      </Button>
      <Button variant="ghost" disabled={isBusy} onClick={() => leave()}>
        Sign in another way
      </Button>
    </div>
  );
}
