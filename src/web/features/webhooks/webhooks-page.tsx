import { Link } from '@tanstack/react-router';
import { Plus, ScanSearch, Webhook, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { ChangedBy } from '#web/collections/creator.tsx';
import { useLatestChanges } from '#web/api/queries/audit-events.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { RequireOperator } from './require-operator.tsx';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { FramedSkeletonRows, Skeleton } from '#web/ui/display/skeleton.tsx';
import { EVENT_TYPE_OPTIONS } from './event-labels.ts';
import { formatFailureRate, endpointState } from './endpoint-state.ts';
import { LastDelivery } from './last-delivery.tsx';
import { EndpointStateBadge } from './endpoint-state-badge.tsx';
import { CreateEndpointDialog } from './create-endpoint-dialog.tsx';

const EndpointsSkeleton = () => (
  <FramedSkeletonRows label="Loading webhooks" rows={3} className="flex h-29 items-center md:h-17.5 gap-4">
    <span className="flex-1">
      <Skeleton className="h-4 w-72 max-w-full" />
      <Skeleton className="mt-2 h-3 w-40" />
    </span>
    <Skeleton className="hidden h-4 w-48 md:block" />
  </FramedSkeletonRows>
);

export function WebhooksPage() {
  const [creating, setCreating] = useState(false);
  const canManage = useCan('webhooks.manage');
  const create = () => setCreating(true);
  useCommands(canManage ? [{ group: 'Webhooks', label: 'New endpoint…', icon: Plus, keys: 'n', run: create }] : []);
  return (
    <Page
      title="Webhooks"
      intro="Notify other systems when work finishes. Each delivery is signed, and retried if it fails."
      actions={
        <>
          <Link to="/webhooks/check" className={buttonClass()}>
            <ScanSearch aria-hidden="true" className="size-4" />
            Verify a signature
          </Link>
          {canManage ? (
            <Button variant="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={create}>
              New endpoint
            </Button>
          ) : null}
        </>
      }
    >
      <RequireOperator skeleton={<EndpointsSkeleton />}>
        {(endpoints) => <EndpointList endpoints={endpoints} onCreate={create} />}
      </RequireOperator>
      {creating ? <CreateEndpointDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

interface EndpointListProps {
  endpoints: readonly WebhookEndpoint[];
  onCreate: () => void;
}

function EndpointList({ endpoints, onCreate }: EndpointListProps) {
  const changes = useLatestChanges(
    'webhook',
    endpoints.map(({ id }) => id),
  );
  if (endpoints.length === 0)
    return (
      <EmptyState
        icon={<Webhook aria-hidden="true" />}
        title="No endpoints yet"
        actions={
          <Button variant="primary" onClick={onCreate}>
            Add endpoint
          </Button>
        }
      >
        An endpoint is an HTTPS URL of another system, such as your shop or chat. It is notified within seconds when a
        generation finishes.
      </EmptyState>
    );
  return (
    <ul
      aria-label="Endpoints"
      className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
    >
      {endpoints.map((endpoint) => (
        <EndpointListItem key={endpoint.id} endpoint={endpoint} change={changes.get(endpoint.id)} />
      ))}
    </ul>
  );
}

const formatEvents = (events: WebhookEndpoint['events']) =>
  events.length === EVENT_TYPE_OPTIONS.length ? 'All events' : events.join(', ');

interface EndpointListItemProps {
  endpoint: WebhookEndpoint;
  change: AuditEvent | undefined;
}

function EndpointListItem({ endpoint, change }: EndpointListItemProps) {
  const { id, url, events, health } = endpoint;
  return (
    <li className="relative grid gap-x-6 gap-y-1.5 px-4 py-3.5 transition-colors hover:bg-hover md:grid-cols-[minmax(0,1fr)_18rem] md:items-center">
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <Link
            to="/webhooks/$endpoint"
            params={{ endpoint: id }}
            className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            {url}
          </Link>
          <EndpointStateBadge state={endpointState(endpoint)} />
        </p>
        <p className="truncate text-sm text-ink-3">{formatEvents(events)}</p>
        <ChangedBy change={change} />
      </div>
      <div className="text-sm text-ink-3 md:text-right">
        {health ? <p className="text-ink-2 tabular-nums">{formatFailureRate(health)}</p> : null}
        <LastDelivery endpoint={endpoint} />
      </div>
      {health?.warning ? (
        <p className="flex gap-2 text-sm text-ink-2 md:col-span-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none text-amber-text" />
          <span className="min-w-0">{health.warning}</span>
        </p>
      ) : null}
    </li>
  );
}
