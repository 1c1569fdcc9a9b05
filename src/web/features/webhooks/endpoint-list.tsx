import { Webhook } from 'lucide-react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { EndpointListItem } from './endpoint-list-item.tsx';

export interface EndpointListProps {
  endpoints: readonly WebhookEndpoint[];
  onCreate: () => void;
}

/** Every endpoint with its health. */
export function EndpointList({ endpoints, onCreate }: EndpointListProps) {
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
        An endpoint is the HTTPS address of another system, such as your shop or your chat. It is notified within
        seconds when a generation finishes.
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
