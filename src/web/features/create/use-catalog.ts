import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CatalogAvailability } from './create-selection.ts';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';

/** What the service offers, and whether it could not be asked. Until it answers, everything of the contract counts as offered. */
export function useCatalog(): CatalogAvailability & { failed: boolean } {
  const tasks = useQuery(tasksQuery);
  const models = useQuery(modelsQuery);
  const failed = (tasks.isError && !tasks.data) || (models.isError && !models.data);
  return useMemo(() => ({ tasks: tasks.data, models: models.data, failed }), [tasks.data, models.data, failed]);
}
