import { useQuery } from '@tanstack/react-query';
import type { SpendingGroup } from '#contract/ledger.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';

const GROUPS: { value: SpendingGroup; label: string }[] = [
  { value: 'task', label: 'Task' },
  { value: 'model', label: 'Model' },
  { value: 'person', label: 'Person' },
  { value: 'key', label: 'Key' },
];

/** What spending can be grouped by: also by each tag of the organization. */
export function useSpendingGroups(): { value: SpendingGroup; label: string }[] {
  const tags = useQuery(tagsQuery).data ?? [];
  return [...GROUPS, ...tags.map(({ name, label }) => ({ value: `tag:${name}` as const, label }))];
}
