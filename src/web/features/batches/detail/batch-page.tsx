import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Rows3 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Batch } from '#contract/resources/batch.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { StaleNotice } from '#web/api/list-states.tsx';
import { batchQuery } from '#web/api/queries/batches.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { apiKey, invalidate } from '#web/api/api-query.ts';
import { BILLING_READS } from '#web/api/queries/stale-endpoints.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { BatchHeader } from './batch-header.tsx';
import { BatchOrders } from './batch-orders.tsx';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { PAUSE_LABELS } from '../batch-labels.tsx';
import { BatchProgressBar, doneCount } from '../progress-bar.tsx';
import { useCanContinue } from './use-can-continue.ts';

const route = getRouteApi('/batches/$id');

export function BatchPage() {
  const { id } = route.useParams();
  return (
    <div className="@container w-full min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8">
      <BackLink to="/batches">All batches</BackLink>
      <RequireSession to="see this batch" permission="work.read">
        <BatchContent key={id} id={id} />
      </RequireSession>
    </div>
  );
}

function BatchContent({ id }: { id: string }) {
  const query = useQuery(batchQuery(id));
  const { data: batch, refetch } = query;
  const problem = queryError(query);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useRefreshOrders(batch);
  if (batch)
    return (
      <div className="flex flex-col gap-6">
        <BatchHeader batch={batch} />
        {problem ? (
          <StaleNotice title="This batch may be out of date" error={problem} onRetry={() => void refetch()} />
        ) : null}
        <BatchOverview batch={batch} />
        <BatchOrders
          batch={batch}
          search={search}
          onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
        />
      </div>
    );
  return (
    <>
      <title>Batch · Emulsion</title>
      <h1 tabIndex={-1} className="sr-only">
        Batch
      </h1>
      {problem ? null : <BatchSkeleton />}
      {isNotFound(problem) ? <BatchNotFound /> : null}
      {problem && !isNotFound(problem) ? (
        <LoadError what="This batch" error={problem} onRetry={() => void refetch()} />
      ) : null}
    </>
  );
}

/** Reads the orders and the funds again when the counts say that they have changed. */
function useRefreshOrders(batch: Batch | undefined): void {
  const client = useQueryClient();
  const id = batch?.id;
  const state = batch ? JSON.stringify([batch.counts, batch.status, batch.spent_usd]) : undefined;
  const known = useRef(state);
  useEffect(() => {
    if (known.current !== undefined && known.current !== state && id !== undefined) {
      void invalidate(client, apiKey('list_batch_orders', { params: { batch_id: id } }), ...BILLING_READS);
    }
    known.current = state;
  }, [client, id, state]);
}

function BatchNotFound() {
  return (
    <EmptyState
      icon={<Rows3 aria-hidden="true" />}
      title="Batch not found"
      actions={
        <Link to="/batches" className={buttonClass()}>
          All batches
        </Link>
      }
    >
      The link may be wrong, or the batch belongs to another organization.
    </EmptyState>
  );
}

function BatchSkeleton() {
  return (
    <Loading label="Loading batch">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      <Skeleton className="mt-6 h-2 w-full rounded-full" />
      <Skeleton className="mt-6 h-64 w-full rounded-md" />
    </Loading>
  );
}

/** Progress, money, and why a batch waits. */
function BatchOverview({ batch }: { batch: Batch }) {
  const { counts, spent_usd, reserved_usd, estimated_usd, stop_at_usd, pause_reason } = batch;
  const reserved = parseUsd(reserved_usd);
  return (
    <section aria-label="Progress" className="flex flex-col gap-3">
      {pause_reason ? <PauseNotice reason={pause_reason} batch={batch} /> : null}
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 tabular-nums">
        <p aria-live="polite">
          <span className="font-semibold">{formatNumber(doneCount(counts))}</span>
          <span className="text-ink-2"> of {formatNumber(counts.total)} done</span>
        </p>
        <p className="text-sm text-ink-2">
          <span className="font-medium text-ink">{formatMoney(spent_usd)}</span> spent of about{' '}
          {formatMoney(estimated_usd)}
          {reserved > 0n ? ` · ${formatMoney(reserved_usd)} reserved` : ''}
          {stop_at_usd ? ` · stops at ${formatMoney(stop_at_usd)}` : ''}
        </p>
      </div>
      <BatchProgressBar counts={counts} className="h-2" />
    </section>
  );
}

function PauseNotice({ reason, batch }: { reason: NonNullable<Batch['pause_reason']>; batch: Batch }) {
  const { pause_message, created_by } = batch;
  const canContinue = useCanContinue(batch);
  const who = canContinue ? 'you resume' : `${created_by.person?.name ?? created_by.name} or an administrator resumes`;
  return (
    <Callout tone={reason === 'requested' ? 'info' : 'amber'} title={PAUSE_LABELS[reason]}>
      {pause_message}{' '}
      {pause_message && canContinue ? null : `No further order starts until ${who} the batch. Active orders continue.`}
    </Callout>
  );
}
