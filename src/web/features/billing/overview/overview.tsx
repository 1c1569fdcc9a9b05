import type { BillingTabProps } from '../billing-search.ts';
import { Funds } from '../funds.tsx';
import { defaultPeriod } from '../period.ts';
import { PeriodSelect } from '../period-select.tsx';
import { ChangedBy } from '#web/collections/creator.tsx';
import { useLatestChanges } from '#web/api/queries/audit-events.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { SpendingCard } from './spending-card.tsx';
import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { BudgetList } from '#web/budgets/budget-list.tsx';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { reservationsQuery, budgetsQuery } from '#web/api/queries/billing.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { requestsQuery } from '#web/api/queries/requests.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { describeRequest, REQUEST_STATUS_LABELS } from '#web/budgets/describe-request.ts';
import { RequestResultLink } from '#web/budgets/request-result-link.tsx';
import { WithdrawButton } from '#web/budgets/withdraw-button.tsx';
import { Link } from '@tanstack/react-router';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Money } from '#web/api/money.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';

export function Overview({ search: { from, to, by = 'task' }, onChange }: BillingTabProps) {
  const canReview = useCan('reviews.read');
  const fallback = defaultPeriod();
  const end = to ?? fallback.to;
  const start = from ?? (fallback.from <= end ? fallback.from : end);
  return (
    <div className="flex flex-col gap-6">
      {canReview ? <PendingDecisions /> : null}
      <div className="flex flex-col gap-3">
        <Funds />
        <OrganizationBudget />
        <BudgetList />
      </div>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="py-1.5 text-md font-semibold">Spending</h2>
        <PeriodSelect
          from={from}
          to={to}
          none="Last 30 days"
          onChange={onChange}
          className="w-52 has-[input]:w-80 max-sm:w-full!"
        />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <SpendingCard by={by} period={{ from: start, to: end }} onChange={(group) => onChange({ by: group })} />
        <div className="flex flex-col gap-6">
          <OwnRequests />
          <Reservations />
        </div>
      </div>
    </div>
  );
}

const PendingDecisions = lazyComponent(async () => (await import('../review/pending-decisions.tsx')).PendingDecisions);
const BudgetDialog = lazyComponent(async () => (await import('#web/budgets/budget-dialog.tsx')).BudgetDialog);

const ORGANIZATION_BUDGET = ['organization'];
const line = 'flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line bg-surface px-4 py-3';

/** Spending of this month against the organization's budget. Members see it only if a budget is set. */
function OrganizationBudget() {
  const { data: budgets, isPending } = useQuery(budgetsQuery);
  const { data: me } = useQuery(meQuery);
  const canSet = useCan('budgets.manage');
  const [open, setOpen] = useState(false);
  const changes = useLatestChanges('budget', ORGANIZATION_BUDGET);
  if (isPending && canSet) return <BudgetSkeleton />;
  if (!budgets) return null;
  const budget = budgets.find(({ id }) => id === 'organization') ?? null;
  if (!budget && !canSet) return null;
  return (
    <section aria-label="Monthly budget" className={line}>
      <div className="min-w-0 flex-[1_1_18rem]">
        {budget ? <BudgetMeter budget={budget} /> : <p className="text-sm text-ink-2">No monthly budget</p>}
        {budget ? <ChangedBy change={changes.get(budget.id)} className="mt-1" /> : null}
      </div>
      {budget ? (
        <AskButton ask={{ kind: 'budget', budget_id: budget.id, amount_usd: '' }} size="sm" variant="secondary" />
      ) : null}
      {canSet ? (
        <Button
          size="sm"
          onPointerEnter={BudgetDialog.preload}
          onFocus={BudgetDialog.preload}
          onClick={() => setOpen(true)}
        >
          {budget ? 'Change budget' : 'Set budget'}
        </Button>
      ) : null}
      {open ? (
        <BudgetDialog
          name={me?.organization.name ?? 'Organization'}
          scope="organization"
          budget={budget}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  );
}

const BudgetSkeleton = () => (
  <Loading label="Loading budget" className={line}>
    <span className="block min-w-0 flex-[1_1_18rem] py-0.5">
      <Skeleton className="h-4 w-40" />
    </span>
    <Skeleton className="h-7 w-22 pointer-coarse:h-9" />
  </Loading>
);

const PAGE_SIZE = 5;

/** One's own requests, newest first. Nothing while there are none. */
function OwnRequests() {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    requestsQuery({ own: 'true' }, PAGE_SIZE),
  );
  const requests = data?.pages.flatMap((page) => page.data) ?? [];
  if (requests.length === 0) return null;
  return (
    <Card title="Your requests">
      <ul aria-label="Your requests" className="divide-y divide-line">
        {requests.map((request) => (
          <OwnRequest key={request.id} request={request} />
        ))}
      </ul>
      {hasNextPage ? (
        <Button size="sm" className="mt-3" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </Card>
  );
}

function OwnRequest({ request }: { request: ApprovalRequest }) {
  const { status, note, reason, created_at, decided_by } = request;
  const { label, tone } = REQUEST_STATUS_LABELS[status];
  const decider = status === 'canceled' ? null : decided_by?.name;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-[1_1_12rem]">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">{describeRequest(request)}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p dir="auto" className="text-sm wrap-anywhere text-ink-3">
          <RelativeTime at={created_at} /> · {note}
        </p>
        {reason ? (
          <p dir="auto" className="text-sm wrap-anywhere text-ink-2">
            {decider ? `${decider}: ` : null}
            {reason}
          </p>
        ) : null}
      </div>
      {status === 'pending' ? <WithdrawButton request={request} /> : <RequestResultLink request={request} />}
    </li>
  );
}

function Reservations() {
  const names = useCatalogNames();
  const query = useInfiniteQuery(reservationsQuery);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const problem = queryError(query);
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <Card title="Reserved for unfinished work" description="Unused amounts are released when work finishes." flush>
      {rows && rows.length > 0 ? (
        <ul className="text-sm">
          {rows.map(({ generation_id, status, task, model, amount_usd, created_at, created_by }) => (
            <li
              key={generation_id}
              className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0 hover:bg-hover"
            >
              <Link
                to="/generations/$id"
                params={{ id: generation_id }}
                className="min-w-0 truncate -outline-offset-2 after:absolute after:inset-0"
              >
                {model ? names.model(model) : names.task(task)}
              </Link>
              <Money amount_usd={amount_usd} className="text-right font-medium" />
              <span className="flex min-w-0 items-center gap-2 text-ink-3">
                <StatusBadge status={status} progress={null} />
                <span className="truncate">{created_by.name}</span>
              </span>
              <RelativeTime at={created_at} className="z-1 text-right text-ink-3" />
            </li>
          ))}
          {hasNextPage ? (
            <li className="px-4 py-2">
              <Button size="sm" variant="ghost" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : rows ? (
        <p className="px-4 py-4 text-ink-2">Nothing is reserved. The full balance is available.</p>
      ) : problem ? (
        <LoadError what="Reservations" error={problem} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading reservations" className="px-4 py-4">
          <SkeletonText lines={3} />
        </Loading>
      )}
    </Card>
  );
}
