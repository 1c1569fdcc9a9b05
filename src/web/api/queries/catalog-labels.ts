import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

function useInvalidateNames() {
  const client = useQueryClient();
  return () =>
    Promise.all([queryKeys.models, queryKeys.tasks].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export const useSetCatalogLabel = () =>
  useMutation({
    mutationFn: ({ id, ...body }: { id: string } & BodyInput<'set_catalog_label'>) =>
      api.call('set_catalog_label', { params: { catalog_id: id }, body }),
    onSettled: useInvalidateNames(),
  });

export const useDeleteCatalogLabel = () =>
  useMutation({
    mutationFn: (id: string) => api.call('delete_catalog_label', { params: { catalog_id: id } }),
    onSettled: useInvalidateNames(),
  });
