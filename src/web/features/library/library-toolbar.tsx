import { SquareCheckBig, Star } from 'lucide-react';
import type { Ref } from 'react';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { MadeByField, useMadeByChip } from '#web/collections/made-by-filter.tsx';
import type { PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { CLIENT_VERDICT_LABELS } from '#web/api/client-answer-labels.ts';
import { ORIGIN_LABELS } from '#web/media/library/media-labels.ts';
import { FileTagFilterField } from '#web/forms/tags/file-tag-filter-field.tsx';
import { TagFilterFields } from '#web/forms/tags/tag-filter-fields.tsx';
import type { TagFilter } from '#web/forms/tags/tag-filter.ts';
import { useAppliedTags } from '#web/forms/tags/use-applied-tags.ts';
import { TaskModelFields } from '#web/media/task-model-fields.tsx';
import { formatDayRange } from '#web/ui/days.ts';
import { Field } from '#web/ui/field.tsx';
import { AppliedFilters, FilterMenu } from '#web/ui/filter-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { Select } from '#web/ui/select.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import type { LibraryFilters } from './library-search.ts';
import { knownTasks } from '#web/api/known-models.ts';

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
  { value: 'audio', label: 'Audio' },
] as const;

export interface LibraryToolbarProps extends LibraryFilterMenuProps {
  searchRef: Ref<HTMLInputElement>;
  /** Starts selection mode; null if the list is empty. */
  onSelect: (() => void) | null;
}

export function LibraryToolbar({ filters, person, onChange, searchRef, onSelect }: LibraryToolbarProps) {
  const names = useCatalogNames();
  const { kind, origin, task, model, from, to, starred, tags, label, answer, link, q } = filters;
  const appliedTags = useAppliedTags(tags, (next: TagFilter | undefined) => onChange({ tags: next }));
  const madeBy = useMadeByChip(person, onChange);
  return (
    <search aria-label="Filter the library" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
        <SearchBox
          ref={searchRef}
          label="Search the library"
          value={q ?? ''}
          onChange={(text) => onChange({ q: text || undefined })}
          className="flex-[1_1_100%] @md:min-w-36 @md:flex-1 @3xl:mr-1 @3xl:max-w-72"
        />
        <div className="order-last w-full @3xl:order-none @3xl:mr-auto @3xl:w-76">
          <SegmentedControl
            label="Type"
            value={kind ?? 'all'}
            options={KINDS}
            stretch
            onChange={(value) => onChange({ kind: value === 'all' ? undefined : value })}
          />
        </div>
        <IconButton
          outlined
          label="Starred only"
          pressed={starred === true}
          icon={<Star aria-hidden="true" className={starred ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
          onClick={() => onChange({ starred: starred ? undefined : true })}
        />
        <LibraryFilterMenu filters={filters} person={person} onChange={onChange} />
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
          ...appliedTags,
          { label: label && `Tag: ${label}`, onRemove: () => onChange({ label: undefined }) },
          { label: link && 'Answers on one shared link', onRemove: () => onChange({ link: undefined }) },
          { label: answer && ANSWER_LABELS[answer], onRemove: () => onChange({ answer: undefined }) },
          { label: origin && ORIGIN_LABELS[origin], onRemove: () => onChange({ origin: undefined }) },
          { label: task && names.task(task), onRemove: () => onChange({ task: undefined }) },
          { label: model && names.model(model), onRemove: () => onChange({ model: undefined }) },
          { label: formatDayRange(from, to), onRemove: () => onChange({ from: undefined, to: undefined }) },
        ]}
      />
    </search>
  );
}

interface LibraryFilterMenuProps {
  filters: LibraryFilters;
  person: PersonFilter;
  onChange: (change: { [K in keyof LibraryFilters]: LibraryFilters[K] | undefined }) => void;
}

const ANY = 'any';
const ANSWER_LABELS = { any: 'Answered by a client', ...CLIENT_VERDICT_LABELS } as const;
const ANY_OR_NONE = 'all';
const ANSWER_OPTIONS = [
  { value: ANY_OR_NONE, label: 'Any or none' },
  ...Object.entries(ANSWER_LABELS).map(([value, text]) => ({
    value: value as keyof typeof ANSWER_LABELS,
    label: text,
  })),
] as const;
const mediaTasks = () => knownTasks().filter((id) => id !== 'social.search');

function LibraryFilterMenu({ filters, person, onChange }: LibraryFilterMenuProps) {
  const { origin, task, model, from, to, tags, label, answer } = filters;
  return (
    <FilterMenu
      values={[person.person_id, origin, task, model, label, answer, ...Object.keys(tags ?? {})]}
      from={from}
      to={to}
      onDaysChange={onChange}
    >
      <MadeByField filter={person} onChange={onChange} />
      <TagFilterFields tags={tags} onChange={(next) => onChange({ tags: next })} />
      <FileTagFilterField label={label} onChange={(next) => onChange({ label: next })} />
      <Field label="Client answers">
        <Select
          value={answer ?? ANY_OR_NONE}
          options={ANSWER_OPTIONS}
          onChange={(value) => onChange({ answer: value === ANY_OR_NONE ? undefined : value })}
        />
      </Field>
      <Field label="Source" group>
        <SegmentedControl
          stretch
          value={origin ?? ANY}
          options={[
            { value: ANY, label: 'All' },
            { value: 'generated', label: ORIGIN_LABELS.generated },
            { value: 'upload', label: ORIGIN_LABELS.upload },
          ]}
          onChange={(value) =>
            onChange({
              origin: value === 'any' ? undefined : value,
              // Nothing made an upload.
              ...(value === 'upload' ? { task: undefined, model: undefined, tags: undefined } : {}),
            })
          }
        />
      </Field>
      <TaskModelFields
        tasks={mediaTasks()}
        task={task}
        model={model}
        uploadsOnly={origin === 'upload'}
        onChange={onChange}
      />
    </FilterMenu>
  );
}
