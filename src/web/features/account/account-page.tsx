import { useQuery } from '@tanstack/react-query';
import { LoadError } from '#web/api/load-error.tsx';
import { meQuery } from '#web/api/queries/me.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Page } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

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
