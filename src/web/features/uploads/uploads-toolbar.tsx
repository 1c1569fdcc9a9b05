import type { Ref } from 'react';
import { MadeByField, useMadeByChip } from '#web/api/made-by-filter.tsx';
import type { PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { formatDayRange } from '#web/ui/days.ts';
import { AppliedFilters, FilterMenu } from '#web/ui/filter-menu.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import type { UploadsSearch } from './uploads-search.ts';

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
  { value: 'audio', label: 'Audio' },
] as const;

interface UploadsToolbarProps {
  search: UploadsSearch;
  person: PersonFilter;
  searchRef: Ref<HTMLInputElement>;
  onChange: (change: { [K in keyof UploadsSearch]: UploadsSearch[K] | undefined }) => void;
}

export function UploadsToolbar({ search, person, searchRef, onChange }: UploadsToolbarProps) {
  const { kind, from, to, q } = search;
  const madeBy = useMadeByChip(person, onChange);
  return (
    <search aria-label="Filter uploads" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-3">
        <SearchBox
          ref={searchRef}
          label="Search names"
          value={q ?? ''}
          onChange={(text) => onChange({ q: text || undefined })}
          className="min-w-36 flex-1 @3xl:max-w-72"
        />
        <SegmentedControl
          label="Type"
          value={kind ?? 'all'}
          options={KINDS}
          className="@3xl:mr-auto @max-3xl:order-last @max-3xl:w-full @max-3xl:*:flex-1"
          onChange={(value) => onChange({ kind: value === 'all' ? undefined : value })}
        />
        <FilterMenu values={[person.person_id]} from={from} to={to} onDaysChange={onChange}>
          <MadeByField filter={person} onChange={onChange} />
        </FilterMenu>
      </div>
      <AppliedFilters
        filters={[
          madeBy,
          { label: formatDayRange(from, to), onRemove: () => onChange({ from: undefined, to: undefined }) },
        ]}
      />
    </search>
  );
}
