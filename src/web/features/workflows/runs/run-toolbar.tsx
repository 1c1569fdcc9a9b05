import { useQuery } from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import { startersQuery } from '#web/api/queries/workflow-starters.ts';
import { AppliedFilters } from '#web/ui/applied-filters.tsx';
import { Button } from '#web/ui/button.tsx';
import { DateRangeSelect } from '#web/ui/date-range-select.tsx';
import { formatDayRange } from '#web/ui/format-day-range.ts';
import { Field } from '#web/ui/field.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { Select } from '#web/ui/select.tsx';
import { StatusChips } from '#web/ui/status-chips.tsx';
import type { WorkflowsSearch } from '../workflows-search.ts';

export interface RunToolbarProps {
  search: WorkflowsSearch;
  onChange: (change: Partial<WorkflowsSearch>) => void;
}

/** Which runs are shown. */
export function RunToolbar({ search, onChange }: RunToolbarProps) {
  const { starter, status, from, to, q } = search;
  const names = useStarterNames(starter);
  return (
    <search aria-label="Filter runs" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Search runs"
          value={q ?? ''}
          onChange={(text) => onChange({ q: text || undefined })}
          className="min-w-36 flex-1 @3xl:max-w-64"
        />
        <div className="order-last w-full min-w-0 @3xl:order-none @3xl:w-auto @3xl:flex-1">
          <StatusChips value={status} onChange={(next) => onChange({ status: next })} />
        </div>
        <RunFilterMenu search={search} names={names} onChange={onChange} />
      </div>
      <AppliedFilters
        filters={[
          {
            label: names.find(({ value }) => value === starter)?.label,
            onRemove: () => onChange({ starter: undefined }),
          },
          { label: formatDayRange(from, to), onRemove: () => onChange({ from: undefined, to: undefined }) },
        ]}
      />
    </search>
  );
}

const ANY = '';

/** Starter and time: the filters that are needed less often than status and text. */
function RunFilterMenu({ search, names, onChange }: RunToolbarProps & { names: { value: string; label: string }[] }) {
  const { starter, from, to } = search;
  const count = [starter, from ?? to].filter(Boolean).length;
  return (
    <Popover
      aria-label="Filters"
      align="end"
      className="w-72 p-4"
      renderTrigger={(props) => (
        <Button {...props} icon={<ListFilter aria-hidden="true" className="size-4" />}>
          Filters{count > 0 ? ` · ${count}` : ''}
        </Button>
      )}
    >
      <div className="flex flex-col gap-4">
        <Field label="Starter">
          <Select
            value={starter ?? ANY}
            options={[{ value: ANY, label: 'All starters' }, ...names]}
            onChange={(value) => onChange({ starter: value || undefined })}
          />
        </Field>
        <Field label="When" group>
          <DateRangeSelect from={from} to={to} onChange={(span) => onChange({ ...span })} />
        </Field>
      </div>
    </Popover>
  );
}

/** Starters to choose from; the one of the address too, where it is gone since. */
function useStarterNames(chosen: string | undefined) {
  const { data = [] } = useQuery(startersQuery);
  const names = data.map(({ slug, name }) => ({ value: slug, label: name }));
  if (chosen === undefined || names.some(({ value }) => value === chosen)) return names;
  return [...names, { value: chosen, label: chosen }];
}
