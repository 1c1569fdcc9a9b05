import { ArrowRightLeft, Calculator } from 'lucide-react';
import { useState } from 'react';
import { MARGIN_GROUPS, PIVOT_DIMENSIONS, type PivotDimension, type ReportDimension } from '#contract/money/ledger.ts';
import { api } from '#web/api/api.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import { NotAllowed } from '#web/api/session/require-session.tsx';
import { toTagsParameter } from '#web/forms/tags/tag-filter.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { startOfUtcDay } from '#web/ui/controls/days.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { type BillingSearch, type BillingTabProps, REPORT_MEASURES, type ReportMeasure } from '../billing-search.ts';
import { defaultPeriod, PERIOD_PRESETS } from '../period.ts';
import { PeriodSelect } from '../period-select.tsx';
import { useDimensionOptions } from '../report-dimensions.ts';
import { AppliedSpendingFilters, SpendingFilterMenu } from '../spending-filter-menu.tsx';
import { MarginReport } from './margin-report.tsx';
import { SpendingReport } from './spending-report.tsx';

const NO_COLUMNS = '';
const CUSTOM = 'custom';

type ReportSearch = Pick<BillingSearch, 'measure' | 'rows' | 'columns' | 'from' | 'to'>;

interface Preset {
  label: string;
  search: (now: Date) => ReportSearch;
}

/** Reports that people ask for often. */
const PRESETS: Readonly<Record<string, Preset>> = {
  people: { label: 'People by task', search: () => ({ rows: 'person', columns: 'task' }) },
  days: { label: 'Days by model', search: () => ({ rows: 'day', columns: 'model' }) },
  month: {
    label: 'Last month by person',
    search: (now) => ({ rows: 'person', ...PERIOD_PRESETS.lastMonth.of(now) }),
  },
  margin: {
    label: 'Margin of this month by model',
    search: (now) => ({ measure: 'margin', rows: 'model', ...PERIOD_PRESETS.this_month.of(now) }),
  },
};

const isSame = (a: ReportSearch, b: ReportSearch): boolean =>
  (['measure', 'rows', 'columns', 'from', 'to'] as const).every((name) => a[name] === b[name]);

/** Figures of billing by what one chooses: all come from the same sums. */
export function Report({ search, onChange }: BillingTabProps) {
  const { measure = 'spending', rows = 'person', columns, person, tags } = search;
  const canSeeCosts = useCan('costs.read');
  const canReprice = !useCannot('billing.read');
  const fallback = defaultPeriod();
  const to = search.to ?? fallback.to;
  const from = search.from ?? (fallback.from <= to ? fallback.from : to);
  const spendingOptions = useDimensionOptions(PIVOT_DIMENSIONS);
  const marginOptions = useDimensionOptions(MARGIN_GROUPS);
  const options: { value: ReportDimension; label: string }[] = measure === 'margin' ? marginOptions : spendingOptions;
  const rowsLabel = options.find(({ value }) => value === rows)?.label ?? rows;
  const query = omitUndefined({
    person_id: person,
    tags: toTagsParameter(tags),
    from: startOfUtcDay(from)?.toISOString(),
    to: startOfUtcDay(to, 1)?.toISOString(),
  });
  const view = { rowsLabel, filter: { from, to, person, tags } };
  // A provider is known only to the margin.
  const pivot = { ...query, rows: rows as PivotDimension, ...(columns === undefined ? {} : { columns }) };
  const margin = { ...query, group_by: rows };
  const period = `${from} to ${to}.csv`;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <PresetSelect search={search} canSeeCosts={canSeeCosts} onChange={onChange} />
        {canSeeCosts ? (
          <Field label="Measure" className="w-32">
            <Select
              value={measure}
              options={Object.entries(REPORT_MEASURES).map(([value, label]) => ({
                value: value as ReportMeasure,
                label,
              }))}
              onChange={(next) =>
                onChange({
                  measure: next === 'spending' ? undefined : next,
                  columns: undefined,
                  rows: next === 'spending' && rows === 'provider' ? undefined : rows,
                })
              }
            />
          </Field>
        ) : null}
        <Field label="Rows" className="w-36">
          <Select value={rows} options={options} onChange={(next) => onChange({ rows: next })} />
        </Field>
        {measure === 'spending' ? (
          <>
            <IconButton
              outlined
              disabled={columns === undefined}
              label="Swap rows and columns"
              icon={<ArrowRightLeft aria-hidden="true" className="size-4" />}
              onClick={() => onChange({ rows: columns, columns: rows as PivotDimension })}
            />
            <Field label="Columns" className="w-36">
              <Select
                value={columns ?? NO_COLUMNS}
                options={[{ value: NO_COLUMNS, label: 'None' }, ...spendingOptions]}
                onChange={(next) => onChange({ columns: next === NO_COLUMNS ? undefined : next })}
              />
            </Field>
          </>
        ) : null}
        <Field label="Period" group className="max-sm:w-full">
          <PeriodSelect
            from={search.from}
            to={search.to}
            none="Last 30 days"
            onChange={onChange}
            className="w-44 has-[input]:w-80 max-sm:w-full!"
          />
        </Field>
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
          {measure === 'margin' ? (
            <ExportButton
              name={`margin by ${rows} ${period}`.replaceAll(':', '-')}
              read={() => api.download('export_margin', { query: margin })}
            />
          ) : (
            <ExportButton
              name={`spending by ${[rows, columns].filter(Boolean).join(' and ')} ${period}`.replaceAll(':', '-')}
              read={() => api.download('export_pivot', { query: pivot })}
            />
          )}
        </span>
      </div>
      <AppliedSpendingFilters search={search} onChange={onChange} />
      {measure === 'spending' ? (
        <SpendingReport query={pivot} {...view} />
      ) : canSeeCosts ? (
        <MarginReport query={margin} {...view} />
      ) : (
        <NotAllowed to="see margins" />
      )}
    </div>
  );
}

interface PresetSelectProps extends Pick<BillingTabProps, 'search' | 'onChange'> {
  canSeeCosts: boolean;
}

function PresetSelect({ search, canSeeCosts, onChange }: PresetSelectProps) {
  const [now] = useState(() => new Date());
  const presets = Object.entries(PRESETS).filter(([name]) => canSeeCosts || name !== 'margin');
  const [chosen = CUSTOM] = presets.find(([, preset]) => isSame(preset.search(now), search)) ?? [];
  return (
    <Field label="Show" className="w-52 max-sm:w-full">
      <Select
        value={chosen}
        options={[
          ...presets.map(([value, { label }]) => ({ value, label })),
          { value: CUSTOM, label: 'Custom', disabled: chosen !== CUSTOM },
        ]}
        onChange={(next) => {
          const preset = PRESETS[next];
          const nothing = { measure: undefined, rows: undefined, columns: undefined, from: undefined, to: undefined };
          if (preset) onChange({ ...nothing, ...preset.search(new Date()) });
        }}
      />
    </Field>
  );
}
