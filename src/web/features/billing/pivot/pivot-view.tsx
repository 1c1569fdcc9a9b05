import { useQuery } from '@tanstack/react-query';
import { ArrowRightLeft, Calculator } from 'lucide-react';
import type { PivotDimension } from '#contract/ledger.ts';
import { api } from '#web/api/api.ts';
import { queryError } from '#web/api/api-errors.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { useCannot } from '#web/api/queries/permissions.ts';
import { pivotQuery } from '#web/api/queries/billing.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { startOfUtcDay } from '#web/ui/days.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toTagsParameter } from '#web/forms/tags/tag-filter.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Select } from '#web/ui/select.tsx';
import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import { defaultPeriod } from '../period.ts';
import { PeriodSelect } from '../period-select.tsx';
import { AppliedSpendingFilters, SpendingFilterMenu } from '../spending-filter-menu.tsx';
import { joinSearch, toLedgerSearch } from '../spending-search.ts';
import { PivotTable } from './pivot-table.tsx';
import { Refreshing } from '#web/ui/refreshing.tsx';

const DIMENSIONS: { value: PivotDimension; label: string }[] = [
  { value: 'person', label: 'Person' },
  { value: 'key', label: 'Key' },
  { value: 'task', label: 'Task' },
  { value: 'model', label: 'Model' },
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
];

/** Spending by two dimensions, beside the period before. */
export function PivotView({ search, onChange }: BillingTabProps) {
  const { rows = 'person', columns = 'task' } = search;
  const fallback = defaultPeriod();
  const to = search.to ?? fallback.to;
  const from = search.from ?? (fallback.from <= to ? fallback.from : to);
  const tags = useQuery(tagsQuery).data ?? [];
  const names = useCatalogNames();
  const canReprice = !useCannot('billing.read');
  const { person, tags: tagFilter } = search;
  const filter = omitUndefined({ person_id: person, tags: toTagsParameter(tagFilter) });
  const query = {
    ...filter,
    rows,
    columns,
    from: startOfUtcDay(from)?.toISOString(),
    to: startOfUtcDay(to, 1)?.toISOString(),
  };
  const pivot = useQuery(pivotQuery(query));
  const problem = queryError(pivot);
  const options = [...DIMENSIONS, ...tags.map(({ name, label }) => ({ value: `tag:${name}` as const, label }))];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Rows" className="w-40">
          <Select value={rows} options={options} onChange={(next) => onChange({ rows: next })} />
        </Field>
        <IconButton
          outlined
          label="Swap rows and columns"
          icon={<ArrowRightLeft aria-hidden="true" className="size-4" />}
          onClick={() => onChange({ rows: columns, columns: rows })}
        />
        <Field label="Columns" className="w-40">
          <Select value={columns} options={options} onChange={(next) => onChange({ columns: next })} />
        </Field>
        <PeriodSelect
          from={search.from}
          to={search.to}
          none="Last 30 days"
          onChange={onChange}
          className="w-52 has-[input]:w-80 max-sm:w-full!"
        />
        <SpendingFilterMenu search={search} onChange={onChange} />
        <span className="ml-auto flex gap-2 max-sm:ml-0">
          {canReprice ? (
            <Button
              icon={<Calculator aria-hidden="true" className="size-4" />}
              onClick={() => onChange({ part: 'what_if' })}
            >
              What if…
            </Button>
          ) : null}
          <ExportButton
            label="Export this table"
            name={`spending by ${rows} and ${columns} ${from} to ${to}.csv`.replaceAll(':', '-')}
            read={() => api.download('export_pivot', { query })}
          />
        </span>
      </div>
      <AppliedSpendingFilters search={search} onChange={onChange} />
      {pivot.data ? (
        <Refreshing active={pivot.isPlaceholderData}>
          <PivotTable
            pivot={pivot.data}
            rowsLabel={options.find(({ value }) => value === pivot.data.rows_by)?.label ?? pivot.data.rows_by}
            searchOf={(by, id) => {
              const found = toLedgerSearch(by, id);
              return found && joinSearch({ from, to, person, tags: tagFilter }, found);
            }}
            nameOf={({ id, name }) => (id && names.find(id)) || name}
          />
        </Refreshing>
      ) : problem ? (
        <LoadError what="The table" error={problem} onRetry={() => void pivot.refetch()} />
      ) : (
        <Loading label="Loading table">
          <SkeletonText lines={8} />
        </Loading>
      )}
    </div>
  );
}
