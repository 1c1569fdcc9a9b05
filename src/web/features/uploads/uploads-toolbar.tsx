import type { Ref } from 'react';
import { DateRangeSelect } from '#web/ui/day-range-select.tsx';
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
  searchRef: Ref<HTMLInputElement>;
  onChange: (change: { [K in keyof UploadsSearch]: UploadsSearch[K] | undefined }) => void;
}

export function UploadsToolbar({ search: { kind, from, to, q }, searchRef, onChange }: UploadsToolbarProps) {
  return (
    <search aria-label="Filter uploads" className="flex flex-wrap items-start gap-x-3 gap-y-3">
      <SearchBox
        ref={searchRef}
        label="Search names"
        value={q ?? ''}
        onChange={(text) => onChange({ q: text || undefined })}
        className="min-w-36 flex-1 @3xl:max-w-72"
      />
      <div className="w-34 @md:w-auto">
        <DateRangeSelect from={from} to={to} onChange={onChange} />
      </div>
      <SegmentedControl
        label="Type"
        value={kind ?? 'all'}
        options={KINDS}
        className="@max-3xl:order-last @max-3xl:w-full @max-3xl:*:flex-1"
        onChange={(value) => onChange({ kind: value === 'all' ? undefined : value })}
      />
    </search>
  );
}
