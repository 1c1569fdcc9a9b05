import { getRouteApi, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useEnableWebhook } from '#web/api/queries/webhooks.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { Deliveries, DeliverySkeleton } from './deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { endpointState, formatFailureRate } from './endpoint-state.ts';
import { RequireOperator } from './require-operator.tsx';
import { EndpointStateBadge } from './endpoint-state-badge.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { type ReactNode, useState } from 'react';
import { RelativeTime, ExactTime } from '#web/ui/display/relative-time.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { EVENT_LABELS } from './event-labels.ts';
import { EventCode } from './event-name.tsx';
import { LastDelivery } from './last-delivery.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { RecoverDialog } from './recover-dialog.tsx';

const route = getRouteApi('/webhooks/$endpoint');

export function EndpointPage() {
  const { endpoint: id } = route.useParams();
  const { delivery: openId } = useParams({ strict: false });
  return (
    <div className={cx(openId !== undefined && 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(24rem,38vw,40rem)]')}>
      <div
        className={cx('@container w-full min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8', openId === undefined && 'max-w-6xl')}
      >
        <RequireOperator
          skeleton={
            <>
              <BackLink to="/webhooks">All endpoints</BackLink>
              <Heading title="Webhook endpoint" />
              <EndpointSkeleton />
            </>
          }
        >
          {(endpoints) => {
            const endpoint = endpoints.find((candidate) => candidate.id === id);
            return endpoint ? <EndpointContent key={id} endpoint={endpoint} openId={openId} /> : <EndpointNotFound />;
          }}
        </RequireOperator>
      </div>
      <Outlet />
    </div>
  );
}

function Heading({ title }: { title: string }) {
  return (
    <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none">
      <title>{`${title} · Webhooks · Emulsion`}</title>
      {title}
    </h1>
  );
}

function EndpointContent({ endpoint, openId }: { endpoint: WebhookEndpoint; openId: string | undefined }) {
  return (
    <>
      <BackLink to="/webhooks">All endpoints</BackLink>
      <header className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_18rem]">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Heading title={new URL(endpoint.url).host} />
            <EndpointStateBadge state={endpointState(endpoint)} />
          </div>
          <p className="mt-0.5 font-mono text-sm wrap-anywhere text-ink-2 select-all">{endpoint.url}</p>
        </div>
        <EndpointActions endpoint={endpoint} />
      </header>
      <EndpointNotice endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      <Deliveries endpoint={endpoint.id} openId={openId} />
    </>
  );
}

function EndpointNotFound() {
  const navigate = useNavigate();
  return (
    <>
      <Heading title="Webhook endpoint" />
      <EmptyState
        className="mt-6"
        icon={<Webhook aria-hidden="true" />}
        title="Endpoint not found"
        actions={<Button onClick={() => void navigate({ to: '/webhooks' })}>All endpoints</Button>}
      >
        It was deleted, the link is wrong, or it belongs to another organization.
      </EmptyState>
    </>
  );
}

function EndpointSkeleton() {
  return (
    <Loading label="Loading endpoint">
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <span className="mt-5 mb-7 grid h-24 grid-cols-2 items-center gap-6 rounded-md border border-line bg-surface px-4 @3xl:grid-cols-4">
        {['attempts', 'last', 'events', 'added'].map((fact) => (
          <Skeleton key={fact} className="h-4 w-28 max-w-full" />
        ))}
      </span>
      <DeliverySkeleton />
    </Loading>
  );
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
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
            <EventCode type={event} />
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

function EndpointNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, status, health, previous_secret_expires_at } = endpoint;
  const { mutate, isPending } = useEnableWebhook();
  // Kept here because an enabled endpoint no longer reports since when it failed.
  const [missedSince, setMissedSince] = useState<string | null>(null);
  const enable = () =>
    mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Endpoint enabled', tone: 'good' });
        setMissedSince(health?.failing_since ?? null);
      },
      onError: toastError('Endpoint not enabled'),
    });
  return (
    <div className="mb-5 flex flex-col gap-2 empty:hidden">
      {status === 'disabled' ? (
        <Callout tone="bad" title="Endpoint disabled">
          <p>{health?.warning ?? 'No events are sent to this endpoint.'}</p>
          <p className="mt-2 mb-0.5">
            <Button size="sm" busy={isPending} onClick={enable}>
              Enable endpoint
            </Button>
          </p>
        </Callout>
      ) : health?.warning ? (
        <Callout tone="amber" title="The receiver needs attention">
          {health.warning}
        </Callout>
      ) : health?.failing_since ? (
        <Callout tone="amber" title="Recent deliveries failed">
          First failed <RelativeTime at={health.failing_since} />. Each delivery is retried after 1 minute, 5 minutes,
          30 minutes, 2 hours and 12 hours. To resend them now, use More actions.
        </Callout>
      ) : null}
      {previous_secret_expires_at ? (
        <Callout title="Two secrets are valid">
          Deliveries are signed with the new secret and the previous one until{' '}
          <ExactTime at={previous_secret_expires_at} />.
        </Callout>
      ) : null}
      {missedSince ? (
        <RecoverDialog endpoint={endpoint} missedSince={missedSince} onClose={() => setMissedSince(null)} />
      ) : null}
    </div>
  );
}
