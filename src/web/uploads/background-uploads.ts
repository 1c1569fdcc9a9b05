import type { QueryClient } from '@tanstack/react-query';
import { invalidate } from '#web/api/api-query.ts';
import { MEDIA_LISTS } from '#web/api/queries/stale-endpoints.ts';
import { getSession, onSessionChange } from '#web/api/session/session.ts';
import type { STORED_UPLOADS_FLAG } from './persist-uploads.ts';
import { getUploadItems, subscribeUploads } from './upload-store.ts';

/** Imports only a type of `persist-uploads.ts`, which is lazy-loaded with the uploader. */
function hasStoredUploads(): boolean {
  try {
    return localStorage.getItem('emulsion.uploads' satisfies typeof STORED_UPLOADS_FLAG) !== null;
  } catch {
    return false;
  }
}

export function resumeInterruptedUploads(): () => void {
  const loadUploader = () => import('./uploader.ts');
  const ignore = () => undefined;
  const resume = () => {
    if (getSession() !== null && hasStoredUploads())
      loadUploader()
        .then(({ resumeUploads }) => resumeUploads(), ignore)
        .catch(ignore);
  };
  resume();
  return onSessionChange((state) => {
    if (state === 'signed_in') resume();
    if (state === 'signed_out' && hasStoredUploads()) loadUploader().then(({ clearUploads }) => clearUploads(), ignore);
  });
}

export function invalidateAfterUploads(client: QueryClient): () => void {
  const known = new Set<string>();
  return subscribeUploads(() => {
    const completed = getUploadItems().filter(({ upload_id }) => upload_id !== null && !known.has(upload_id));
    if (completed.length === 0) return;
    for (const { upload_id } of completed) if (upload_id !== null) known.add(upload_id);
    void invalidate(client, MEDIA_LISTS);
  });
}
