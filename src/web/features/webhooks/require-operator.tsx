import { useQuery } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { isMissingFeature, queryError } from '#web/api/api-errors.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { webhookEndpointsQuery } from '#web/api/queries/webhooks.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

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
  // A service without key information may still have webhooks, and checks the key itself.
  const canManage = useCan('webhooks.manage');
  const canList = enabled && (canManage || isMissingFeature(me.error));
  const list = useQuery({ ...webhookEndpointsQuery, enabled: canList });
  if (list.data) return children(list.data);
  if (isMissingFeature(list.error))
    return (
      <EmptyState icon={<Webhook aria-hidden="true" />} title="Webhooks are not available">
        This service does not support them. Ask your administrator.
      </EmptyState>
    );
  const meError = canList || !enabled ? null : queryError(me);
  const problem = meError ?? (canList ? queryError(list) : null);
  if (!problem) return skeleton;
  const retry = () => void (meError ? me.refetch() : list.refetch());
  return <LoadError what="Webhooks" error={problem} onRetry={retry} />;
}
