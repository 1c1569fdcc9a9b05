import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { Upload } from '#contract/resources/upload.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { createFieldUploads, type FieldUploads } from '#web/forms/field-uploads.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';

export const RESULT_FIELD = 'result';

export interface ResultFilesState {
  fieldUploads: FieldUploads;
  uploads: readonly Upload[];
  setUploads: (uploads: readonly Upload[]) => void;
  /** Uploads in progress and failed ones. */
  uploadItems: readonly UploadItem[];
  pendingCount: number;
}

export function useResultFiles(): ResultFilesState {
  const id = useId();
  // Unique, so that uploads for another decision do not appear here.
  const [fieldUploads] = useState(() => createFieldUploads(`result ${id} ${performance.now()}`));
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  useEffect(
    () =>
      fieldUploads.deliverTo((_field, upload) => {
        cacheMediaInfo(upload);
        setUploads((before) => [...before, upload]);
        return true;
      }),
    [fieldUploads],
  );
  const uploadItems = useSyncExternalStore(fieldUploads.subscribe, () => fieldUploads.itemsOfField(RESULT_FIELD));
  const pendingCount = useSyncExternalStore(fieldUploads.subscribe, fieldUploads.pendingCount);
  return { fieldUploads, uploads, setUploads, uploadItems, pendingCount };
}
