import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { Upload } from '#contract/resources/upload.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { createFieldUploads, type FieldUploads } from '#web/forms/field-uploads.ts';
import type { UploadItem } from '#web/uploads/upload-store.ts';

/** The one place of the tray. */
export const RESULT_FIELD = 'result';

export interface ResultFilesState {
  fieldUploads: FieldUploads;
  /** Those that have arrived, in order. */
  uploads: readonly Upload[];
  setUploads: (uploads: readonly Upload[]) => void;
  /** Those on their way, or that did not arrive. */
  uploadItems: readonly UploadItem[];
  pending_count: number;
}

/** Files of one's own that are to be a result. */
export function useResultFiles(): ResultFilesState {
  const id = useId();
  // Another window is for another decision: it gets none of these.
  const [tray] = useState(() => createFieldUploads(`result ${id} ${performance.now()}`));
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  useEffect(
    () =>
      tray.deliverTo((_place, upload) => {
        cacheMediaInfo(upload);
        setUploads((before) => [...before, upload]);
        return true;
      }),
    [tray],
  );
  const sendings = useSyncExternalStore(tray.subscribe, () => tray.itemsOfField(RESULT_FIELD));
  const under_way = useSyncExternalStore(tray.subscribe, tray.pendingCount);
  return { fieldUploads: tray, uploads, setUploads, uploadItems: sendings, pending_count: under_way };
}
