import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Scale } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { MarginGroup } from '#contract/ledger.ts';
import type { Margin } from '#contract/resources/margin.ts';
import { api } from '#web/api/api.ts';
import { ApiError, queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { marginQuery } from '#web/api/queries/billing.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { NotAllowed } from '#web/api/session/require-session.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { startOfUtcDay, toUtcDay } from '#web/ui/days.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/api/money.tsx';
import { Select } from '#web/ui/select.tsx';
import { FramedSkeletonRows, Skeleton, skeletonTextWidth } from '#web/ui/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import { PeriodSelect } from '../period-select.tsx';
import { MarginTable } from './margin-table.tsx';
import { Refreshing } from '#web/ui/refreshing.tsx';
import { PERIOD_PRESETS } from '../period.ts';

interface MarginGroupOption {
  value: MarginGroup;
  label: string;
}

const GROUPS = [
  { value: 'model', label: 'Model' },
  { value: 'provider', label: 'Provider' },
  { value: 'key', label: 'Key' },
  { value: 'person', label: 'Person' },
  { value: 'day', label: 'Day (UTC)' },
] as const satisfies MarginGroupOption[];

/** Charges beside the costs of providers, losses first. */
export function MarginReport({ search: { from, to, group = 'model' }, onChange }: BillingTabProps) {
  const heading = useId();
  const [now] = useState(() => new Date());
  const me = useQuery(meQuery).data;
  const tags = useQuery(tagsQuery).data ?? [];
  const groups: MarginGroupOption[] = [
    ...GROUPS,
    ...tags.map(({ name, label }) => ({ value: `tag:${name}` as const, label })),
  ];
  const period = completePeriod({ from, to }, now);
  const query = {
    from: startOfUtcDay(period.from)?.toISOString(),
    to: startOfUtcDay(period.to, 1)?.toISOString(),
    group_by: group,
  };
  if (useCannot('costs.read')) return <NotAllowed to="see margins" />;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="sr-only">
        Margin
      </h2>
      <div className="mb-4 flex flex-wrap items-start gap-3">
        <Select
          aria-label="Group by"
          className="w-36"
          value={group}
          options={groups}
          onChange={(next) => onChange({ group: next })}
        />
        <PeriodSelect
          from={from}
          to={to}
          none="This month"
          onChange={onChange}
          className="w-52 has-[input]:w-80 max-sm:w-full!"
        />
        <div className="sm:ml-auto">
          <ExportButton
            name={`margin by ${group.replace(':', ' ')} ${period.from} to ${period.to}.csv`}
            read={() => api.download('export_margin', { query })}
          />
        </div>
      </div>
      <MarginRows query={query} groups={groups} period={period} connected={me?.providers?.connected} />
    </section>
  );
}

interface MarginRowsProps {
  query: Parameters<typeof marginQuery>[0];
  groups: readonly MarginGroupOption[];
  period: { from: string; to: string };
  /** Number of providers; undefined for keys that may not manage them. */
  connected: number | undefined;
}

function MarginRows({ query, groups, period, connected }: MarginRowsProps): ReactNode {
  const margin = useQuery(marginQuery(query));
  const problem = queryError(margin);
  if (problem instanceof ApiError && problem.status === 422)
    return <EmptyState title="Choose another period">{problem.message}</EmptyState>;
  if (problem && !margin.data)
    return <LoadError what="The margin" error={problem} onRetry={() => void margin.refetch()} />;
  if (!margin.data) return <MarginSkeleton />;
  if (margin.data.data.length > 0)
    return (
      <Refreshing active={margin.isPlaceholderData}>
        <MarginTable
          margin={margin.data}
          heading={groups.find(({ value }) => value === margin.data.group_by)?.label ?? ''}
          period={period}
        />
        <ImprovementCosts margin={margin.data} />
      </Refreshing>
    );
  return (
    <>
      <NoJobs connected={connected} />
      <ImprovementCosts margin={margin.data} />
    </>
  );
}

function NoJobs({ connected }: Pick<MarginRowsProps, 'connected'>) {
  const icon = <Scale aria-hidden="true" />;
  return connected === 0 ? (
    <EmptyState
      icon={icon}
      title="No provider jobs yet"
      actions={
        <Link to="/providers" className={buttonClass({ variant: 'primary' })}>
          Connect a provider
        </Link>
      }
    >
      Once a provider runs your models, its costs appear here beside your charges.
    </EmptyState>
  ) : (
    <EmptyState
      icon={icon}
      title="No provider jobs in this period"
      actions={
        connected === undefined ? null : (
          <Link to="/providers" className={buttonClass()}>
            View providers
          </Link>
        )
      }
    >
      Choose another period, or run a model at a provider.
    </EmptyState>
  );
}

/** Nobody is charged for improved prompts, so they have no margin. */
function ImprovementCosts({ margin: { prompt_improvements } }: { margin: Margin }) {
  const { count, cost_usd } = prompt_improvements;
  if (count === 0) return null;
  return (
    <p className="mt-3 text-sm text-ink-2">
      Improving {count === 1 ? '1 prompt' : `${formatNumber(count)} prompts`} cost <Money amount_usd={cost_usd} /> in
      this period. It was not charged and is not part of the margin.
    </p>
  );
}

const MarginSkeleton = () => (
  <FramedSkeletonRows label="Loading margin" rows={5} className="flex h-17 items-center justify-between gap-6">
    {(row) => (
      <>
        <span className="block flex-1">
          <Skeleton className={cx('h-4 max-w-48', skeletonTextWidth(row))} />
        </span>
        <Skeleton className="h-4 w-16 max-sm:hidden" />
        <Skeleton className="h-4 w-16" />
        <Skeleton className="h-4 w-16" />
      </>
    )}
  </FramedSkeletonRows>
);

/** Completes a period: up to today, and from the first day of its last month. */
function completePeriod(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: string; to: string } {
  const end = to ?? toUtcDay(now);
  return { from: from ?? PERIOD_PRESETS.this_month.of(startOfUtcDay(end) ?? now).from, to: end };
}
