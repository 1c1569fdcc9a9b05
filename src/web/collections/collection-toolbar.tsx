import type { ReactNode, Ref } from 'react';
import type { PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { FilterMenu } from '#web/ui/overlays/filter-menu.tsx';
import { SearchBox } from '#web/ui/controls/search-box.tsx';
import { StatusChips } from '#web/ui/display/status-chips.tsx';
import { AppliedFilter, type FilterControl, FilterField } from './filter-fields.tsx';
import type { FilterLook, FilterRow, FilterRows, RawSearch } from './filter-rows.ts';

interface CollectionToolbarProps {
  label: string;
  filters: FilterRows;
  search: RawSearch;
  person: PersonFilter;
  rows: readonly unknown[];
  onChange: (change: RawSearch) => void;
  searchRef: Ref<HTMLInputElement>;
  /** Further controls, at the end of the first line. */
  children?: ReactNode;
}

/** Whether a control is in sight on its own line: many of them would cover a phone. */
export const isInBar = ({ look }: FilterRow): boolean => 'place' in look && look.place === 'bar';

const isInMenu = (look: FilterLook): boolean =>
  'place' in look ? look.place === 'menu' : ['person', 'task', 'tags', 'file_tag', 'sort'].includes(look.kind);

/** The values of the menu's filters. The order is none. */
const valuesInMenu = ({ filters, search, person }: CollectionToolbarProps): unknown[] =>
  Object.entries(filters).flatMap(([name, { look }]) => {
    const value = search[name];
    switch (look.kind) {
      case 'person':
        return person.person_id;
      case 'tags':
        return Object.keys(value ?? {});
      case 'days':
        return isInMenu(look) ? (value ?? search['to']) : undefined;
      case 'choice':
        return isInMenu(look) ? value : undefined;
      case 'task':
      case 'model':
      case 'file_tag':
        return value;
      default:
        return undefined;
    }
  });

/** The search box, status chips, fields and menu of a list's filters, and a chip for each that is set. */
export function CollectionToolbar(props: CollectionToolbarProps) {
  const { label, filters, search, person, rows, onChange, searchRef, children } = props;
  const controls = Object.entries(filters).map(([name, { look }]): FilterControl => ({
    name,
    look,
    search,
    person,
    rows,
    onChange,
  }));
  const inMenu = controls.filter(({ look }) => isInMenu(look));
  return (
    <search aria-label={label} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        {controls.map((control) => (
          <BarControl key={control.name} {...control} searchRef={searchRef} />
        ))}
        {inMenu.length > 0 ? (
          <FilterMenu values={valuesInMenu(props)}>
            {inMenu.map((control) => (
              <FilterField key={control.name} {...control} />
            ))}
          </FilterMenu>
        ) : null}
        {children}
      </div>
      <ul aria-label="Filters in use" className="flex flex-wrap gap-1.5 empty:hidden">
        {controls.map((control) => (
          <AppliedFilter key={control.name} {...control} />
        ))}
      </ul>
    </search>
  );
}

/** A control that is always in sight. */
function BarControl({ searchRef, ...control }: FilterControl & { searchRef: Ref<HTMLInputElement> }) {
  const { name, look, search, onChange } = control;
  const value = search[name];
  const text = typeof value === 'string' ? value : undefined;
  if (look.kind === 'text')
    return (
      <SearchBox
        ref={searchRef}
        label={look.label}
        value={text ?? ''}
        onChange={(typed) => onChange({ [name]: typed || undefined })}
        className="min-w-28 flex-1 @3xl:max-w-72"
      />
    );
  if (look.kind === 'status')
    return (
      <div className="order-last w-full min-w-0 self-center @3xl:order-none @3xl:w-auto @3xl:flex-1">
        <StatusChips value={text} labels={look.labels} onChange={(status) => onChange({ [name]: status })} />
      </div>
    );
  return isInMenu(look) ? null : <FilterField {...control} />;
}
