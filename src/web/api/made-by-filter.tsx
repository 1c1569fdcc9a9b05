import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import type { AppliedFilter } from '#web/ui/filter-menu.tsx';
import { Select, type SelectOption } from '#web/ui/select.tsx';
import { disambiguateNames, keyIdSuffix } from './queries/key-labels.ts';
import { useEveryone } from './queries/people.ts';
import { EVERYBODY, type PersonFilter } from './queries/use-person-filter.ts';

type PersonChange = { person: string | undefined };

interface MadeByFieldProps {
  filter: PersonFilter;
  onChange: (change: PersonChange) => void;
}

/** Selects whose work a list shows. Renders nothing where there is nobody to choose. */
export function MadeByField({ filter, onChange }: MadeByFieldProps) {
  const options = usePersonOptions(filter);
  if (!filter.is_offered || options.length === 1) return null;
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

function usePersonOptions({ value, own_id, is_offered }: PersonFilter): SelectOption<string>[] {
  const others = disambiguateNames(useEveryone(is_offered).filter(({ id }) => id !== own_id)).sort((a, b) =>
    a.name.localeCompare(b.name),
  );
  const options = [
    { value: EVERYBODY, label: 'Everybody' },
    ...(own_id ? [{ value: own_id, label: 'Me' }] : []),
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
  const { value, own_id, initial } = filter;
  const is_other = value !== EVERYBODY && value !== own_id;
  const person = useEveryone(is_other).find(({ id }) => id === value);
  return {
    label: formatMadeBy(filter, person?.name),
    onRemove: () => onChange({ person: initial === EVERYBODY ? undefined : EVERYBODY }),
  };
}

function formatMadeBy({ value, own_id }: PersonFilter, name: string | undefined): string | undefined {
  if (value === EVERYBODY) return undefined;
  return `Made by ${value === own_id ? 'me' : (name ?? keyIdSuffix(value))}`;
}
