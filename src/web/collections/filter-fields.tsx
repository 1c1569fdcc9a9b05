import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { knownTasks } from '#web/api/known-models.ts';
import type { PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { FileTagFilterField } from '#web/forms/tags/file-tag-filter-field.tsx';
import { TagFilterFields } from '#web/forms/tags/tag-filter-fields.tsx';
import type { TagFilter } from '#web/forms/tags/tag-filter.ts';
import { useAppliedTags } from '#web/forms/tags/use-applied-tags.ts';
import { TaskModelFields } from '#web/media/task-model-fields.tsx';
import { DateRangeSelect, type DayRange, DayRangeSelect } from '#web/ui/controls/day-range-select.tsx';
import { formatDayRange } from '#web/ui/controls/days.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { FilterChip } from '#web/ui/overlays/filter-menu.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import type { FilterLook, RawSearch } from './filter-rows.ts';
import { fromSorting, toSorting } from './list-columns.ts';
import { MadeByField, useMadeByChip } from './made-by-filter.tsx';

type LookOf<K extends FilterLook['kind']> = Extract<FilterLook, { kind: K }>;

export interface FilterControl<L extends FilterLook = FilterLook> {
  /** The search parameter. */
  name: string;
  look: L;
  search: RawSearch;
  person: PersonFilter;
  /** The loaded rows of the list. */
  rows: readonly unknown[];
  onChange: (change: RawSearch) => void;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The control of a filter; nothing where another one shows it: the search box, the status chips, the row before. */
export function FilterField(control: FilterControl): ReactNode {
  const { name, look, search, person, onChange } = control;
  switch (look.kind) {
    case 'choice':
      return <ChoiceField {...control} look={look} />;
    case 'days':
      return <DaysField {...control} look={look} />;
    case 'person':
      return <MadeByField filter={person} onChange={onChange} />;
    case 'task':
      return <TaskModelField {...control} look={look} />;
    case 'tags':
      return <TagFilterFields tags={search['tags'] as TagFilter | undefined} onChange={(tags) => onChange({ tags })} />;
    case 'file_tag':
      return <FileTagFilterField label={textOf(search[name])} onChange={(label) => onChange({ [name]: label })} />;
    case 'starred':
      return <StarredField {...control} />;
    case 'sort':
      return <SortField {...control} look={look} />;
    case 'text':
    case 'status':
    case 'link':
    case 'model':
    case 'order':
    case 'to':
      return null;
  }
}

const IN_BAR = 'max-sm:min-w-36 max-sm:flex-1 sm:w-44';
const ANY = '';

function ChoiceField({ name, look, search, rows, onChange }: FilterControl<LookOf<'choice'>>) {
  const { label, all, place, useOptions, also } = look;
  const value = textOf(search[name]);
  // The rows of a list are constants, so the hook of each stays the same.
  // oxlint-disable-next-line react/hooks -- see above
  const options = [{ value: ANY, label: all }, ...useOptions(value, rows)];
  const choose = (chosen: string) => onChange({ ...also?.(chosen || undefined), [name]: chosen || undefined });
  if (options.length === 1) return null;
  if (place === 'segments') {
    // More than two take a line of their own in a narrow list.
    const hasLine = options.length > 2;
    return (
      <SegmentedControl
        label={label}
        value={value ?? ANY}
        options={options}
        stretch={hasLine}
        className={hasLine ? 'order-last @3xl:order-none @3xl:w-76' : ''}
        onChange={choose}
      />
    );
  }
  const select = { value: value ?? ANY, options, onChange: choose };
  if (place === 'bar') return <Select aria-label={label} className={IN_BAR} {...select} />;
  return (
    <Field label={label}>
      <Select {...select} />
    </Field>
  );
}

function DaysField({ look: { label, none, presets, zone, place }, search, onChange }: FilterControl<LookOf<'days'>>) {
  const range = {
    from: textOf(search['from']),
    to: textOf(search['to']),
    onChange: ({ from, to }: DayRange) => onChange({ from, to }),
  };
  const className = place === 'bar' ? IN_BAR : undefined;
  const select = presets ? (
    <DayRangeSelect
      {...range}
      label={label}
      none={none}
      presets={presets}
      className={className}
      {...(zone && { zone })}
    />
  ) : (
    <DateRangeSelect {...range} className={className} />
  );
  if (place === 'bar') return select;
  return (
    <Field label={label} group>
      {select}
    </Field>
  );
}

function TaskModelField({ look: { tasks = knownTasks, isDisabled }, search, onChange }: FilterControl<LookOf<'task'>>) {
  return (
    <TaskModelFields
      tasks={tasks()}
      // The rows of both parsed them.
      {...(search as Pick<Parameters<typeof TaskModelFields>[0], 'task' | 'model'>)}
      uploadsOnly={isDisabled?.(search) ?? false}
      onChange={onChange}
    />
  );
}

function StarredField({ name, search, onChange }: FilterControl) {
  const isOn = search[name] === true;
  return (
    <IconButton
      outlined
      label="Starred only"
      pressed={isOn}
      icon={<Star aria-hidden="true" className={isOn ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
      onClick={() => onChange({ [name]: isOn ? undefined : true })}
    />
  );
}

/** For the widths and views without headers of columns. */
function SortField({ look: { options, initial }, search, onChange }: FilterControl<LookOf<'sort'>>) {
  const { by, order } = toSorting(search, initial);
  return (
    <Field label="Order">
      <Select
        value={`${by} ${order}`}
        options={options}
        onChange={(value) => {
          const [chosen = initial, direction] = value.split(' ');
          onChange(fromSorting({ by: chosen, order: direction === 'asc' ? 'asc' : 'desc' }, initial));
        }}
      />
    </Field>
  );
}

/** What a filter is set to, which a press removes; nothing where its control is in sight. */
export function AppliedFilter(control: FilterControl): ReactNode {
  const { name, look, search, person, rows, onChange } = control;
  const value = search[name];
  const remove = () => onChange({ [name]: undefined });
  switch (look.kind) {
    case 'person':
      return <MadeByChip person={person} onChange={onChange} />;
    case 'days':
      return look.place === 'bar' ? null : (
        <FilterChip
          label={formatDayRange(textOf(search['from']), textOf(search['to']))}
          onRemove={() => onChange({ from: undefined, to: undefined })}
        />
      );
    case 'tags':
      return <TagChips tags={value as TagFilter | undefined} onChange={(tags) => onChange({ tags })} />;
    case 'choice':
      return look.place === 'menu' && typeof value === 'string' ? (
        <ChoiceChip
          look={look}
          value={value}
          rows={rows}
          onRemove={() => onChange({ ...look.also?.(undefined), [name]: undefined })}
        />
      ) : null;
    case 'file_tag':
      return typeof value === 'string' ? <FilterChip label={`Tag: ${value}`} onRemove={remove} /> : null;
    case 'task':
    case 'model':
      return typeof value === 'string' ? <CatalogChip id={value} onRemove={remove} /> : null;
    case 'link':
      return value === undefined ? null : <FilterChip label={look.chip?.(String(value))} onRemove={remove} />;
    case 'sort': {
      const { by, order } = toSorting(search, look.initial);
      const label =
        value === undefined ? undefined : look.options.find((each) => each.value === `${by} ${order}`)?.label;
      return <FilterChip label={label} onRemove={() => onChange({ sort: undefined, order: undefined })} />;
    }
    case 'text':
    case 'status':
    case 'starred':
    case 'order':
    case 'to':
      return null;
  }
}

function MadeByChip({ person, onChange }: Pick<FilterControl, 'person' | 'onChange'>) {
  return <FilterChip {...useMadeByChip(person, onChange)} />;
}

interface TagChipsProps {
  tags: TagFilter | undefined;
  onChange: (tags: TagFilter | undefined) => void;
}

function TagChips({ tags, onChange }: TagChipsProps) {
  return useAppliedTags(tags, onChange).map((chip) => <FilterChip key={chip.label} {...chip} />);
}

interface ChoiceChipProps extends Pick<FilterControl<LookOf<'choice'>>, 'look' | 'rows'> {
  value: string;
  onRemove: () => void;
}

function ChoiceChip({ look, value, rows, onRemove }: ChoiceChipProps) {
  // oxlint-disable-next-line react/hooks -- as in ChoiceField
  const label = look.useOptions(value, rows).find((option) => option.value === value)?.label ?? value;
  return <FilterChip label={look.chip?.(label) ?? label} onRemove={onRemove} />;
}

function CatalogChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const names = useCatalogNames();
  return <FilterChip label={names.find(id) ?? id} onRemove={onRemove} />;
}
