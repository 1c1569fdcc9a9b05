import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { signInMethodsQuery } from '#web/api/queries/account.ts';
import { useLinkToken } from '#web/api/session/link-token.ts';
import { hasPasskeySupport } from '#web/api/session/passkeys.ts';
import { Callout } from '#web/ui/callout.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { KeyForm } from './key-form.tsx';
import { LinkForm } from './link-form.tsx';
import { MailForm } from './mail-form.tsx';
import { OidcLink } from './oidc-link.tsx';
import { PasskeyButton } from './passkey-button.tsx';

interface SignInFormProps {
  /** Where the identity provider sends the browser back to: a path of this app. */
  from: string;
  /** Whether an API key will do. */
  takesKeys?: boolean;
  onSignedIn: () => void;
}

/** Signs in with a link, where the page was opened by one, and otherwise in each way that the service offers. */
export function SignInForm({ from, takesKeys = true, onSignedIn }: SignInFormProps) {
  const token = useLinkToken('/sign-in');
  const [linkProblem, setLinkProblem] = useState<string>();
  if (token !== null) return <LinkForm token={token} onSignedIn={onSignedIn} onLeave={setLinkProblem} />;
  return (
    <div className="flex flex-col gap-4">
      {linkProblem ? (
        <Callout tone="bad" title={linkProblem}>
          A link works once. Ask for a new one, or sign in another way. On the machine that runs the service, this
          command prints a link: <code className="font-mono whitespace-nowrap">npm run admin -- sign-in</code>
        </Callout>
      ) : null}
      <SignInMethods from={from} takesKeys={takesKeys} onSignedIn={onSignedIn} />
    </div>
  );
}

function SignInMethods({ from, takesKeys, onSignedIn }: SignInFormProps) {
  const { data: methods, isPending } = useQuery(signInMethodsQuery);
  if (isPending)
    return (
      <Loading label="Loading" className="flex flex-col gap-4">
        <Skeleton className="h-9 w-full rounded-md" />
        <Skeleton className="h-24 w-full rounded-md" />
      </Loading>
    );
  const hasPasskeys = methods?.passkey === true && hasPasskeySupport();
  const hasAccounts = methods !== undefined && (methods.mail || methods.oidc !== null);
  const keyForm = takesKeys ? <KeyForm is_main={!hasAccounts} onSignedIn={onSignedIn} /> : null;
  return (
    <>
      {hasPasskeys ? <PasskeyButton is_main={hasAccounts} onSignedIn={onSignedIn} /> : null}
      {methods?.oidc ? <OidcLink name={methods.oidc.name} from={from} is_main={!hasPasskeys} /> : null}
      {(hasPasskeys || methods?.oidc) && (keyForm || methods?.mail) ? <Or /> : null}
      {methods?.mail ? <MailForm offersPasskeys={hasPasskeys} onSignedIn={onSignedIn} /> : null}
      {hasAccounts && keyForm ? <Disclosure summary="Use an API key">{keyForm}</Disclosure> : keyForm}
    </>
  );
}

const Or = () => (
  <div className="flex items-center gap-3 text-sm text-ink-3">
    <span className="h-px flex-1 bg-line" />
    or
    <span className="h-px flex-1 bg-line" />
  </div>
);
