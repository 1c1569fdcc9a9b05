import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isMissingFeature } from '#web/api/api-errors.ts';
import type { KeyKind, Me } from '#contract/resources/api-key.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { signOut, useSession } from '#web/api/session/session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SettingsRows } from './settings-rows.tsx';

const KEY_KIND_DESCRIPTIONS = {
  organization: 'Organization key: full access, including keys and credit',
  member: 'Standard key: create generations and read billing',
  publishing: 'Publishing key: uploads only',
} satisfies Record<KeyKind, string>;

export function ConnectionCard() {
  const signedIn = useSession() === 'signed_in';
  const canManageKeys = useCan('keys.manage_own');
  const { data: me, error, refetch } = useQuery({ ...meQuery, enabled: signedIn });
  return (
    <Card
      title="Connection"
      description="The service, and who you are there."
      footer={
        signedIn ? (
          <>
            {canManageKeys ? (
              <Link to="/keys" className={buttonClass()}>
                Manage keys
              </Link>
            ) : null}
            <Link to="/account" className={buttonClass()}>
              Your account
            </Link>
            <Button onClick={signOut}>Sign out</Button>
          </>
        ) : (
          <SignInLink />
        )
      }
    >
      <SettingsRows
        rows={[
          { name: 'Service', value: <CopyableText text={window.location.origin} label="Copy address" /> },
          ...(signedIn
            ? identityRows(me)
            : [{ name: 'Status', value: 'Signed out. Prices and estimates work without signing in.' }]),
        ]}
      />
      {signedIn && error && !isMissingFeature(error) ? (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-sm text-ink-2">
          Your account could not be loaded. {error.message}
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : null}
    </Card>
  );
}

const describeAccess = ({ person, key }: Me): string =>
  person
    ? `${ROLE_LABELS[person.role].label}: ${ROLE_LABELS[person.role].description}`
    : KEY_KIND_DESCRIPTIONS[key.kind];

function identityRows(me: Me | undefined) {
  const placeholder = <Skeleton className="h-4 w-40" />;
  return [
    { name: 'Organization', value: me ? me.organization.name : placeholder },
    me?.person ? { name: 'Account', value: me.person.name } : { name: 'Key', value: me ? me.key.name : placeholder },
    { name: 'Access', value: me ? describeAccess(me) : placeholder },
  ];
}

function CopyableText({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-sm">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
