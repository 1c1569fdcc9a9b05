import { Link } from '@tanstack/react-router';
import { Plus, ScanSearch, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useIsOperator } from '#web/api/queries/me.ts';
import { useCommands } from '#web/ui/commands.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { RequireOperator } from './require-operator.tsx';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { EndpointListItem } from './endpoint-list-item.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const EndpointsSkeleton = () => (
  <SkeletonRows label="Loading webhooks" rows={3} className="flex h-29 items-center md:h-17.5 gap-4">
    <span className="flex-1">
      <Skeleton className="h-4 w-72 max-w-full" />
      <Skeleton className="mt-2 h-3 w-40" />
    </span>
    <Skeleton className="hidden h-4 w-48 md:block" />
  </SkeletonRows>
);

const CreateEndpointDialog = lazyComponent(
  async () => (await import('./create-endpoint-dialog.tsx')).CreateEndpointDialog,
);

/** The endpoints and their health. */
export function WebhooksPage() {
  const [creating, setCreating] = useState(false);
  const canManage = useIsOperator();
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
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onPointerEnter={CreateEndpointDialog.preload}
              onFocus={CreateEndpointDialog.preload}
              onClick={create}
            >
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
        <EndpointListItem key={endpoint.id} endpoint={endpoint} />
      ))}
    </ul>
  );
}
