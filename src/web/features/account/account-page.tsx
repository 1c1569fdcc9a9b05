import { useQuery } from '@tanstack/react-query';
import { LoadError } from '#web/api/load-error.tsx';
import { meQuery } from '#web/api/queries/me.ts';
import { queryError } from '#web/api/api-errors.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Page } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PhoneCard } from './phone-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { useConfirmEmail, sessionsQuery, useEndSessions } from '#web/api/queries/account.ts';
import { clearLinkToken, useLinkToken } from '#web/api/session/link-token.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { describeBrowser } from '#web/api/describe-browser.ts';
import type { SignInMethod } from '#contract/resources/session.ts';
import { signOut } from '#web/api/session/session.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';

export function AccountPage() {
  return (
    <Page title="Your account" width="reading">
      <RequireSession to="see your account">
        <AccountContent />
      </RequireSession>
    </Page>
  );
}

function AccountContent() {
  const me = useQuery(meQuery);
  const problem = queryError(me);
  if (!me.data && problem) return <LoadError what="Your account" error={problem} onRetry={() => void me.refetch()} />;
  if (!me.data)
    return (
      <Loading label="Loading your account" className="flex flex-col gap-4">
        <Skeleton className="h-48 w-full rounded-md" />
        <Skeleton className="h-32 w-full rounded-md" />
      </Loading>
    );
  const { person, key, permissions } = me.data;
  const isOwnSession = person != null && permissions.includes('account.manage');
  return (
    <div className="flex flex-col gap-4">
      {isOwnSession ? (
        <>
          <ConfirmEmail />
          <ProfileCard key={`${person.id}${person.name}${person.email}`} person={person} />
          <PasskeysCard />
          <PhoneCard />
        </>
      ) : (
        <Callout title={`You are signed in with the API key “${key.name}”`}>
          {person
            ? `It belongs to ${person.name}. A key cannot change an account: sign in with a passkey, a mailed link or your identity provider.`
            : 'A key is for programs. Ask an administrator to invite you, and sign in with an account of your own.'}
        </Callout>
      )}
      <SessionsCard canEnd={isOwnSession || !person} />
    </div>
  );
}

/** Confirms a new mail address, where the page was opened by the link that was mailed to it. */
function ConfirmEmail() {
  const token = useLinkToken('/account');
  const { mutate, isPending, error } = useConfirmEmail();
  if (token === null) return null;
  const confirm = () =>
    mutate(token, {
      onSuccess: ({ email }) => {
        clearLinkToken();
        showToast({ title: 'Mail address confirmed', detail: email ?? undefined, tone: 'good' });
      },
    });
  return (
    <Callout
      tone={error ? 'bad' : 'amber'}
      title={error ? 'Your mail address is not confirmed' : 'Confirm your new mail address'}
      action={
        <div className="flex gap-2">
          <Button size="sm" onClick={clearLinkToken}>
            {error ? 'Close' : 'Not now'}
          </Button>
          {error ? null : (
            <Button size="sm" variant="primary" busy={isPending} onClick={confirm}>
              Confirm
            </Button>
          )}
        </div>
      }
    >
      {error ? error.message : 'It replaces the present one. Sign-in links then go to the new address.'}
    </Callout>
  );
}

const METHOD_LABELS = {
  link: 'by link',
  passkey: 'with a passkey',
  oidc: 'by your identity provider',
  key: 'with a key',
} satisfies Record<SignInMethod, string>;

/**
 * Open sessions of the person or the key.
 * @param canEnd false: a key of a person, which ends no sessions but its own
 */
function SessionsCard({ canEnd }: { canEnd: boolean }) {
  const { data: sessions, error } = useQuery(sessionsQuery);
  const end = useEndSessions();
  const endSession = (id: string | null, title: string) =>
    end.mutate(id, {
      onSuccess: () => showToast({ title }),
      onError: toastError('Not ended'),
    });
  const hasOthers = canEnd && sessions?.some(({ is_current }) => !is_current) === true;
  return (
    <Card
      title="Sessions"
      description="Where you are signed in. A session ends after 30 days without use."
      actions={
        hasOthers ? (
          <Button busy={end.isPending} onClick={() => endSession(null, 'All other sessions ended')}>
            End all others
          </Button>
        ) : null
      }
      footer={<Button onClick={signOut}>Sign out</Button>}
    >
      {error ? <p className="text-ink-2">Your sessions could not be loaded. {error.message}</p> : null}
      {!sessions && !error ? <Skeleton className="h-10 w-full" /> : null}
      <ul aria-label="Sessions" className="-my-2 divide-y divide-line">
        {sessions?.map(({ id, user_agent, address, method, is_current, last_used_at }) => (
          <li key={id} className="flex items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2">
                <span className="min-w-0 truncate font-medium">{describeBrowser(user_agent)}</span>
                {is_current ? <Badge tone="amber">This one</Badge> : null}
              </p>
              <p className="text-sm text-ink-3">
                {address ? `${address} · ` : ''}signed in {METHOD_LABELS[method]} · used{' '}
                <RelativeTime at={last_used_at} />
              </p>
            </div>
            {is_current || !canEnd ? null : (
              <Button
                size="sm"
                aria-label={`End the session ${describeBrowser(user_agent)}`}
                onClick={() => endSession(id, 'Session ended')}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
