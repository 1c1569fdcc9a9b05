import { useQuery } from '@tanstack/react-query';
import { MadeByField, useMadeByChip } from '#web/api/made-by-filter.tsx';
import type { PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { startersQuery } from '#web/api/queries/workflow-starters.ts';
import { AppliedFilters, FilterMenu } from '#web/ui/filter-menu.tsx';
import { formatDayRange } from '#web/ui/days.ts';
import { Field } from '#web/ui/field.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { Select } from '#web/ui/select.tsx';
import { StatusChips } from '#web/ui/status-chips.tsx';
import type { WorkflowsSearch } from '../workflows-search.ts';

export interface RunToolbarProps {
  search: WorkflowsSearch;
  person: PersonFilter;
  onChange: (change: Partial<WorkflowsSearch>) => void;
}

const ANY = '';

export function RunToolbar({ search, person, onChange }: RunToolbarProps) {
  const { starter, status, from, to, q } = search;
  const names = useStarterNames(starter);
  const madeBy = useMadeByChip(person, onChange);
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
        <FilterMenu values={[person.person_id, starter]} from={from} to={to} onDaysChange={onChange}>
          <MadeByField filter={person} onChange={onChange} />
          <Field label="Workflow">
            <Select
              value={starter ?? ANY}
              options={[{ value: ANY, label: 'All workflows' }, ...names]}
              onChange={(value) => onChange({ starter: value || undefined })}
            />
          </Field>
        </FilterMenu>
      </div>
      <AppliedFilters
        filters={[
          madeBy,
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

/** Options of the workflow filter, including a deleted workflow of the URL. */
function useStarterNames(selected: string | undefined) {
  const { data = [] } = useQuery(startersQuery);
  const names = data.map(({ slug, name }) => ({ value: slug, label: name }));
  if (selected === undefined || names.some(({ value }) => value === selected)) return names;
  return [...names, { value: selected, label: selected }];
}
