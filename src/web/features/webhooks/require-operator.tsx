import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { webhookEndpointsQuery } from '#web/api/queries/webhooks.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export interface RequireOperatorProps {
  /** The shape of what is on the way. */
  skeleton: ReactNode;
  children: (endpoints: readonly WebhookEndpoint[]) => ReactNode;
}

/** The endpoints, for whoever holds an organization key; others are told who does. */
export function RequireOperator(props: RequireOperatorProps) {
  return (
    <RequireSession to="manage webhooks">
      <EndpointsLoader {...props} />
    </RequireSession>
  );
}

function EndpointsLoader({ skeleton, children }: RequireOperatorProps) {
  const enabled = useSession() === 'signed_in';
  const me = useQuery({ ...meQuery, enabled });
  // A service that says nothing of keys may have webhooks all the same: it judges the key itself.
  const may_ask = enabled && (me.data?.key.kind === 'organization' || isMissingFeature(me.error));
  const list = useQuery({ ...webhookEndpointsQuery, enabled: may_ask });
  if (me.data && me.data.key.kind !== 'organization')
    return (
      <EmptyState icon={<ShieldCheck aria-hidden="true" />} title="Webhooks need an organization key">
        You are signed in with “{me.data.key.name}”, a member key of {me.data.organization.name}. Ask your administrator
        to set up an endpoint.
      </EmptyState>
    );
  if (list.data) return children(list.data);
  if (isMissingFeature(list.error))
    return (
      <EmptyState icon={<Webhook aria-hidden="true" />} title="No webhooks here">
        This service has no webhooks. Ask your administrator.
      </EmptyState>
    );
  const asking_me = may_ask || !enabled ? null : queryError(me);
  const problem = asking_me ?? (may_ask ? queryError(list) : null);
  if (!problem) return skeleton;
  const retry = () => void (asking_me ? me.refetch() : list.refetch());
  return <LoadError what="Your webhooks" error={problem} onRetry={retry} />;
}
