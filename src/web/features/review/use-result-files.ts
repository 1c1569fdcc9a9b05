import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { Upload } from '#contract/resources/upload.ts';
import { rememberMedia } from '#web/forms/media-info.ts';
import { createUploadTray, type UploadTray } from '#web/forms/upload-tray.ts';
import type { Sending } from '#web/uploads/sendings.ts';

/** The one place of the tray. */
export const RESULT = 'result';

export interface ResultFilesState {
  tray: UploadTray;
  /** Those that have arrived, in order. */
  uploads: readonly Upload[];
  setUploads: (uploads: readonly Upload[]) => void;
  /** Those on their way, or that did not arrive. */
  sendings: readonly Sending[];
  under_way: number;
}

/** Files of one's own that are to be a result. */
export function useResultFiles(): ResultFilesState {
  const id = useId();
  // Another window is for another decision: it gets none of these.
  const [tray] = useState(() => createUploadTray(`result ${id} ${performance.now()}`));
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  useEffect(
    () =>
      tray.deliverTo((_place, upload) => {
        rememberMedia(upload);
        setUploads((before) => [...before, upload]);
        return true;
      }),
    [tray],
  );
  const sendings = useSyncExternalStore(tray.subscribe, () => tray.of(RESULT));
  const under_way = useSyncExternalStore(tray.subscribe, tray.underWay);
  return { tray, uploads, setUploads, sendings, under_way };
}
