import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CatalogAvailability } from './create-selection.ts';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';

/** The availability of tasks and models. `failed`: it could not be loaded, and all of them count as available. */
export function useCatalog(): CatalogAvailability & { failed: boolean } {
  const tasks = useQuery(tasksQuery);
  const models = useQuery(modelsQuery);
  const failed = (tasks.isError && !tasks.data) || (models.isError && !models.data);
  return useMemo(() => ({ tasks: tasks.data, models: models.data, failed }), [tasks.data, models.data, failed]);
}
