import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import type { AppliedFilter } from '#web/ui/overlays/filter-menu.tsx';
import { Select, type SelectOption } from '#web/ui/controls/select.tsx';
import { disambiguateNames, keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { useEveryone } from '#web/api/queries/people.ts';
import { EVERYBODY, type PersonFilter } from '#web/api/queries/use-person-filter.ts';

type PersonChange = { person: string | undefined };

interface MadeByFieldProps {
  filter: PersonFilter;
  onChange: (change: PersonChange) => void;
}

/** Selects whose work a list shows. Renders nothing where there is nobody to choose. */
export function MadeByField({ filter, onChange }: MadeByFieldProps) {
  const options = usePersonOptions(filter);
  if (!filter.isOffered || options.length === 1) return null;
  return (
    <Field label="Made by">
      <Select
        value={filter.value}
        options={options}
        onChange={(value) => onChange({ person: value === filter.initial ? undefined : value })}
      />
    </Field>
  );
}

function usePersonOptions({ value, ownId, isOffered }: PersonFilter): SelectOption<string>[] {
  const others = disambiguateNames(useEveryone(isOffered).filter(({ id }) => id !== ownId)).sort((a, b) =>
    a.name.localeCompare(b.name),
  );
  const options = [
    { value: EVERYBODY, label: 'Everybody' },
    ...(ownId ? [{ value: ownId, label: 'Me' }] : []),
    ...others
      .filter(({ removed_at }) => removed_at === null)
      .map(({ id, name }) => ({ value: id, label: name, group: 'People' })),
    ...others
      .filter(({ removed_at }) => removed_at !== null)
      .map(({ id, name }) => ({ value: id, label: name, group: 'Removed people' })),
  ];
  return options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: keyIdSuffix(value), group: 'People' }];
}

/** In the empty list of someone who has made nothing yet. */
export const ShowEverybodyButton = ({ onClick }: { onClick: () => void }) => (
  <Button onClick={onClick}>Show everybody’s work</Button>
);

/** Returns the chip of the filter, which leads to everybody's work. */
export function useMadeByChip(filter: PersonFilter, onChange: (change: PersonChange) => void): AppliedFilter {
  const { value, ownId, initial } = filter;
  const isOther = value !== EVERYBODY && value !== ownId;
  const person = useEveryone(isOther).find(({ id }) => id === value);
  return {
    label: formatMadeBy(filter, person?.name),
    onRemove: () => onChange({ person: initial === EVERYBODY ? undefined : EVERYBODY }),
  };
}

function formatMadeBy({ value, ownId }: PersonFilter, name: string | undefined): string | undefined {
  if (value === EVERYBODY) return undefined;
  return `Made by ${value === ownId ? 'me' : (name ?? keyIdSuffix(value))}`;
}
