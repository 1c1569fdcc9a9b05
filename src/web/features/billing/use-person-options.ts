import { PROGRAMS } from '#contract/money/ledger.ts';
import { disambiguateNames } from '#web/api/queries/key-labels.ts';
import { useEveryone } from '#web/api/queries/people.ts';
import type { SelectOption } from '#web/ui/controls/select.tsx';

/**
 * Whose spending can be chosen: everybody who is or was in the organization, and programs.
 * @param selected is always one of them
 */
export function usePersonOptions(selected: string | undefined): SelectOption<string>[] {
  const options = [
    { value: PROGRAMS, label: 'Programs' },
    ...disambiguateNames(useEveryone()).map(({ id, name, removed_at }) => ({
      value: id,
      label: name,
      ...(removed_at === null ? {} : { note: 'removed' }),
    })),
  ];
  if (selected === undefined || options.some(({ value }) => value === selected)) return options;
  return [...options, { value: selected, label: `Person …${selected.slice(-6)}` }];
}
