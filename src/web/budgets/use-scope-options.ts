import { useQuery } from '@tanstack/react-query';
import { MODEL_NAMES } from '#contract/catalog.ts';
import { keysQuery } from '#web/api/queries/keys.ts';
import { useEveryone } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import type { SelectOption } from '#web/ui/select.tsx';

/** What a new budget can limit. A tag with free values ends with `=`: its value is still to be entered. */
export function useScopeOptions(): SelectOption<string>[] {
  const people = useEveryone().filter(({ removed_at }) => removed_at === null);
  const { data: keys = [] } = useQuery({ ...keysQuery, enabled: useCan('keys.manage') });
  const { data: tags = [] } = useQuery(tagsQuery);
  return [
    { value: 'organization', label: 'Everybody' },
    ...people.map(({ id, name }) => ({ value: `person:${id}`, label: name, group: 'People' })),
    ...keys.map(({ id, name }) => ({ value: `key:${id}`, label: name, group: 'Keys' })),
    ...Object.entries(MODEL_NAMES).map(([id, label]) => ({ value: `model:${id}`, label, group: 'Models' })),
    ...tags.flatMap(({ name, label, values }) =>
      values
        ? values.map((value) => ({ value: `tag:${name}=${value}`, label: value, group: label }))
        : [{ value: `tag:${name}=`, label: `${label}…`, group: label }],
    ),
  ];
}
