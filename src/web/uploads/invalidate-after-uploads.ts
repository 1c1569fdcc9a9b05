import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '#web/api/queries/query-keys.ts';
import { getUploadItems, subscribeUploads } from './upload-store.ts';

export function invalidateAfterUploads(client: QueryClient): () => void {
  const known = new Set<string>();
  return subscribeUploads(() => {
    const completed = getUploadItems().filter(({ upload_id }) => upload_id !== null && !known.has(upload_id));
    if (completed.length === 0) return;
    for (const { upload_id } of completed) if (upload_id !== null) known.add(upload_id);
    for (const queryKey of [queryKeys.uploads.heads, queryKeys.media.heads])
      void client.invalidateQueries({ queryKey });
  });
}
