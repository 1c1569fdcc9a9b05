import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Upload } from '#contract/resources/upload.ts';
import { api } from '#web/api.ts';
import { rememberMedia } from '#web/forms/media-info.ts';
import { createUploadTray, type Sending, type UploadTray } from '#web/forms/upload-tray.ts';

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
  const [tray] = useState(() => createUploadTray(api.upload));
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  useEffect(
    () =>
      tray.deliverTo((_place, upload) => {
        rememberMedia(upload);
        setUploads((before) => [...before, upload]);
      }),
    [tray],
  );
  const sendings = useSyncExternalStore(tray.subscribe, () => tray.of(RESULT));
  const under_way = useSyncExternalStore(tray.subscribe, tray.underWay);
  return { tray, uploads, setUploads, sendings, under_way };
}
