import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

/** Stores the pictures of a found post in the library. Saving it again returns the same files. */
export function useSavePost(generation_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (post_id: string) => api.call('save_post', { params: { generation_id }, body: { post_id } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: queryKeys.media.heads });
      void client.invalidateQueries({ queryKey: queryKeys.uploads.all });
    },
  });
}
