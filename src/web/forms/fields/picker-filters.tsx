import { Star } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import type { MediaPickerFilters } from './use-library.ts';
import { ORIGIN_LABELS } from '#web/media/library/media-labels.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';

const ORIGINS = [
  { value: 'all', label: 'All' },
  { value: 'generated', label: ORIGIN_LABELS.generated },
  { value: 'upload', label: ORIGIN_LABELS.upload },
] as const;

export interface PickerFiltersProps {
  ref: Ref<HTMLElement>;
  filters: MediaPickerFilters;
  onChange: (filters: MediaPickerFilters) => void;
  /** Moves the focus to the results. */
  onDown: () => void;
}

export function PickerFilters({ ref, filters, onChange, onDown }: PickerFiltersProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || !(event.target instanceof HTMLInputElement) || event.target.type === 'radio')
      return;
    event.preventDefault();
    onDown();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles a key of the input inside
    <search
      ref={ref}
      aria-label="Filter"
      onKeyDown={onKeyDown}
      className="sticky -top-4 z-1 -mx-5 -mt-4 flex flex-wrap items-center gap-2 bg-raised px-5 py-3"
    >
      <SearchBox
        label="Search prompts and names"
        value={filters.q}
        onChange={(q) => onChange({ ...filters, q })}
        className="min-w-40 flex-1"
      />
      <SegmentedControl
        label="Source"
        value={filters.origin}
        options={ORIGINS}
        onChange={(origin) => onChange({ ...filters, origin })}
      />
      <IconButton
        outlined
        label="Starred only"
        pressed={filters.starred}
        icon={<Star aria-hidden="true" className={filters.starred ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
        onClick={() => onChange({ ...filters, starred: !filters.starred })}
      />
    </search>
  );
}
