import { useQuery } from '@tanstack/react-query';
import { tasksQuery } from '#web/api/queries/catalog.ts';
import { useCan } from '#web/api/queries/permissions.ts';

/** Whether pictures can be cropped here by whoever is signed in. */
export function useCanTransform(): boolean {
  const { data: tasks } = useQuery(tasksQuery);
  const canCreate = useCan('work.create');
  return canCreate && (tasks?.some(({ id, available }) => id === 'image.transform' && available) ?? false);
}
