import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { tooltipProps } from '#web/ui/tooltip.tsx';
import { EVENT_LABELS } from './event-labels.ts';
import { formatFailureRate } from './endpoint-state.ts';
import { LastDelivery } from './last-delivery.tsx';

export function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { events, created_at, health } = endpoint;
  return (
    <dl className="mb-7 grid gap-px overflow-hidden rounded-md border border-line bg-line grid-cols-2 @3xl:grid-cols-4">
      {health ? (
        <Fact name="Attempts">
          <span className="tabular-nums">{formatFailureRate(health)}</span>
        </Fact>
      ) : null}
      <Fact name="Last delivery">
        <LastDelivery endpoint={endpoint} />
      </Fact>
      <Fact name="Events">
        {events.map((event) => (
          <span key={event} {...tooltipProps(EVENT_LABELS[event].label)} className="block">
            <code className="font-mono text-xs">{event}</code>
          </span>
        ))}
      </Fact>
      <Fact name="Added">
        <RelativeTime at={created_at} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="bg-surface px-4 py-3">
      <dt className="text-sm text-ink-3">{name}</dt>
      <dd className="mt-0.5 text-sm">{children}</dd>
    </div>
  );
}
