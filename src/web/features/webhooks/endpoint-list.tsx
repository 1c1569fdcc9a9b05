import { Webhook } from 'lucide-react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { EndpointRow } from './endpoint-row.tsx';

export interface EndpointListProps {
  endpoints: readonly WebhookEndpoint[];
  onCreate: () => void;
}

/** Every endpoint with how it fares. */
export function EndpointList({ endpoints, onCreate }: EndpointListProps) {
  if (endpoints.length === 0)
    return (
      <EmptyState
        icon={<Webhook aria-hidden="true" />}
        title="Nobody is told yet"
        actions={
          <Button variant="primary" onClick={onCreate}>
            Add the first endpoint
          </Button>
        }
      >
        An endpoint is an address of another system, such as your shop or your chat, that can take a message over HTTPS.
        Whatever is made is told to it within seconds.
      </EmptyState>
    );
  return (
    <ul
      aria-label="Endpoints"
      className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
    >
      {endpoints.map((endpoint) => (
        <EndpointRow key={endpoint.id} endpoint={endpoint} />
      ))}
    </ul>
  );
}
