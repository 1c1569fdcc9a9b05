import { useCannot } from '#web/api/queries/permissions.ts';
import { TagFilterFields } from '#web/forms/tags/tag-filter-fields.tsx';
import { useAppliedTags } from '#web/forms/tags/use-applied-tags.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { AppliedFilters, FilterMenu } from '#web/ui/overlays/filter-menu.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import type { LedgerSearch } from './ledger/ledger-search.ts';
import { usePersonOptions } from './use-person-options.ts';

type SpendingFilter = Pick<LedgerSearch, 'person' | 'tags'>;

interface SpendingFilterProps {
  search: SpendingFilter;
  onChange: (change: SpendingFilter) => void;
}

const ANYBODY = '';

/** Limits spending to a person, to programs, or to values of tags. */
export function SpendingFilterMenu({ search: { person, tags }, onChange }: SpendingFilterProps) {
  return (
    <FilterMenu values={[person, ...Object.keys(tags ?? {})]}>
      <PersonField person={person} onChange={onChange} />
      <TagFilterFields tags={tags} onChange={(next) => onChange({ tags: next })} />
    </FilterMenu>
  );
}

function PersonField({ person, onChange }: { person: string | undefined; onChange: SpendingFilterProps['onChange'] }) {
  const options = usePersonOptions(person);
  // Who sees only their own charges has nobody to choose.
  if (useCannot('billing.read')) return null;
  return (
    <Field label="Person">
      <Select
        value={person ?? ANYBODY}
        options={[{ value: ANYBODY, label: 'Anybody' }, ...options]}
        onChange={(next) => onChange({ person: next === ANYBODY ? undefined : next })}
      />
    </Field>
  );
}

/** The filters in use, each with a button that removes it. */
export function AppliedSpendingFilters({ search: { person, tags }, onChange }: SpendingFilterProps) {
  const name = usePersonOptions(person).find(({ value }) => value === person)?.label;
  const applied = useAppliedTags(tags, (next) => onChange({ tags: next }));
  return (
    <AppliedFilters
      filters={[{ label: person && (name ?? person), onRemove: () => onChange({ person: undefined }) }, ...applied]}
    />
  );
}
