import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { queryError } from '#web/api/api-errors.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { webhookEndpointsQuery } from '#web/api/queries/webhooks.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LoadError } from '#web/api/load-error.tsx';

interface RequireOperatorProps {
  skeleton: ReactNode;
  children: (endpoints: readonly WebhookEndpoint[]) => ReactNode;
}

/** Loads the endpoints for those who may manage them. Others see who can help. */
export function RequireOperator(props: RequireOperatorProps) {
  return (
    <RequireSession to="manage webhooks" permission="webhooks.manage">
      <EndpointsLoader {...props} />
    </RequireSession>
  );
}

function EndpointsLoader({ skeleton, children }: RequireOperatorProps) {
  const enabled = useSession() === 'signed_in';
  const me = useQuery({ ...meQuery, enabled });
  const canList = useCan('webhooks.manage');
  const list = useQuery({ ...webhookEndpointsQuery, enabled: canList });
  if (list.data) return children(list.data);
  const meError = canList || !enabled ? null : queryError(me);
  const problem = meError ?? (canList ? queryError(list) : null);
  if (!problem) return skeleton;
  const retry = () => void (meError ? me.refetch() : list.refetch());
  return <LoadError what="Webhooks" error={problem} onRetry={retry} />;
}
