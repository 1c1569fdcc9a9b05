import { knownTasks } from '#web/api/known-models.ts';
import type { Ref } from 'react';
import { MadeByField, useMadeByChip } from '#web/collections/made-by-filter.tsx';
import type { PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { fromSorting, type GenerationSearch, toSorting } from './generation-search.ts';
import { SquareCheckBig } from 'lucide-react';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { FileTagFilterField } from '#web/forms/tags/file-tag-filter-field.tsx';
import { TagFilterFields } from '#web/forms/tags/tag-filter-fields.tsx';
import type { TagFilter } from '#web/forms/tags/tag-filter.ts';
import { useAppliedTags } from '#web/forms/tags/use-applied-tags.ts';
import { TaskModelFields } from '#web/media/task-model-fields.tsx';
import { AppliedFilters, FilterMenu } from '#web/ui/filter-menu.tsx';
import { formatDayRange } from '#web/ui/days.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Select } from '#web/ui/select.tsx';
import { Field } from '#web/ui/field.tsx';
import type { Sorting } from '#web/collections/list-columns.ts';
import { SearchBox } from '#web/ui/search-box.tsx';
import { StatusChips } from '#web/ui/status-chips.tsx';

interface GenerationsToolbarProps {
  search: GenerationSearch;
  person: PersonFilter;
  onChange: (change: { [K in keyof GenerationSearch]: GenerationSearch[K] | undefined }) => void;
  searchRef: Ref<HTMLInputElement>;
  /** Begins a selection; null: nothing can be selected. */
  onSelect: (() => void) | null;
}

export function GenerationsToolbar({ search, person, onChange, searchRef, onSelect }: GenerationsToolbarProps) {
  const names = useCatalogNames();
  const { task, model, tags, label, from, to } = search;
  const changeTags = (next: TagFilter | undefined) => onChange({ tags: next });
  const appliedTags = useAppliedTags(tags, changeTags);
  const madeBy = useMadeByChip(person, onChange);
  return (
    <search aria-label="Filter generations" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-3">
        <SearchBox
          ref={searchRef}
          label="Search generations"
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
          className="min-w-36 flex-1 @3xl:max-w-64"
        />
        <div className="order-last w-full min-w-0 @3xl:order-none @3xl:w-auto @3xl:flex-1">
          <StatusChips value={search.status} onChange={(status) => onChange({ status })} />
        </div>
        <FilterMenu
          values={[person.person_id, task, model, label, ...Object.keys(tags ?? {})]}
          from={from}
          to={to}
          onDaysChange={onChange}
        >
          <MadeByField filter={person} onChange={onChange} />
          <TaskModelFields tasks={knownTasks()} task={task} model={model} onChange={onChange} />
          <TagFilterFields tags={tags} onChange={changeTags} />
          <FileTagFilterField label={label} onChange={(next) => onChange({ label: next })} />
          <SortField search={search} onChange={onChange} />
        </FilterMenu>
        {onSelect ? (
          <IconButton
            outlined
            label="Select items"
            icon={<SquareCheckBig aria-hidden="true" className="size-4" />}
            onClick={onSelect}
          />
        ) : null}
      </div>
      <AppliedFilters
        filters={[
          madeBy,
          { label: task && names.task(task), onRemove: () => onChange({ task: undefined }) },
          { label: model && names.model(model), onRemove: () => onChange({ model: undefined }) },
          ...appliedTags,
          { label: label && `Tag: ${label}`, onRemove: () => onChange({ label: undefined }) },
          { label: sortLabel(search), onRemove: () => onChange({ sort: undefined, order: undefined }) },
          { label: formatDayRange(from, to), onRemove: () => onChange({ from: undefined, to: undefined }) },
        ]}
      />
    </search>
  );
}

const SORT_OPTIONS = [
  { value: 'created_at desc', label: 'Newest first' },
  { value: 'created_at asc', label: 'Oldest first' },
  { value: 'duration desc', label: 'Longest first' },
  { value: 'duration asc', label: 'Quickest first' },
  { value: 'cost desc', label: 'Most expensive first' },
  { value: 'cost asc', label: 'Cheapest first' },
] as const;

const toOption = ({ by, order }: Sorting): string => `${by} ${order}`;

const sortLabel = (search: GenerationSearch): string | undefined =>
  search.sort && SORT_OPTIONS.find(({ value }) => value === toOption(toSorting(search)))?.label;

/** For the widths and views without headers of columns. */
function SortField({ search, onChange }: Pick<GenerationsToolbarProps, 'search' | 'onChange'>) {
  return (
    <Field label="Order">
      <Select
        value={toOption(toSorting(search))}
        options={SORT_OPTIONS}
        onChange={(value) => {
          const [by = '', order] = value.split(' ');
          const { sort, order: ascending } = fromSorting({ by, order: order === 'asc' ? 'asc' : 'desc' });
          onChange({ sort, order: ascending });
        }}
      />
    </Field>
  );
}
