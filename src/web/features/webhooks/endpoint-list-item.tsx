import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { EVENT_TYPE_OPTIONS } from './event-labels.ts';
import { formatFailureRate, endpointState } from './endpoint-state.ts';
import { LastDelivery } from './last-delivery.tsx';
import { EndpointStateBadge } from './endpoint-state-badge.tsx';

const formatEvents = (events: WebhookEndpoint['events']) =>
  events.length === EVENT_TYPE_OPTIONS.length ? 'All events' : events.join(', ');

export function EndpointListItem({ endpoint }: { endpoint: WebhookEndpoint }) {
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
