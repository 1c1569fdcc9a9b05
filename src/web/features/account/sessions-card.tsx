import { useQuery } from '@tanstack/react-query';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { describeBrowser } from '#web/api/describe-browser.ts';
import { sessionsQuery, useEndSessions } from '#web/api/queries/account.ts';
import type { SignInMethod } from '#contract/resources/session.ts';
import { signOut } from '#web/api/session/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const METHOD_LABELS = {
  link: 'by link',
  passkey: 'with a passkey',
  oidc: 'by your identity provider',
  key: 'with a key',
} satisfies Record<SignInMethod, string>;

/**
 * Open sessions of the person or the key. Nothing where the service does not list them.
 * @param canEnd false: a key of a person, which ends no sessions but its own
 */
export function SessionsCard({ canEnd }: { canEnd: boolean }) {
  const { data: sessions, error } = useQuery(sessionsQuery);
  const end = useEndSessions();
  if (isMissingFeature(error)) return null;
  const endSession = (id: string | null, title: string) =>
    end.mutate(id, {
      onSuccess: () => showToast({ title }),
      onError: ({ message }) => showToast({ title: 'Not ended', detail: message, tone: 'bad' }),
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
