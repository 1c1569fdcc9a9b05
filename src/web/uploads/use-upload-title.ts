import { useEffect, useRef } from 'react';
import { notifyUser } from '#web/notifications/notify-user.ts';
import { setTitlePrefix, setTitlePrefixUntilVisible } from '#web/notifications/tab-title.ts';
import type { UploadSummary } from './upload-item-labels.ts';

const uploadedMessage = (done: number) => (done === 1 ? '1 file has arrived.' : `${done} files have arrived.`);

/** How far it is stands in the browser's tab; and that it is over, for whoever was away. */
export function useUploadTitle({ moving, hold, share, done, stuck }: UploadSummary): void {
  const moves = moving > 0 && hold !== 'paused';
  const before = useRef(moves);
  const note = moves ? `Sending ${Math.floor(share * 100)}%` : null;
  useEffect(() => {
    setTitlePrefix('uploads', note);
    if (before.current && !moves && done + stuck > 0) {
      setTitlePrefixUntilVisible('uploads', stuck > 0 ? 'Not all uploaded' : 'Uploaded');
      if (document.hidden)
        void notifyUser(stuck > 0 ? 'Not all files were uploaded' : 'All files uploaded', uploadedMessage(done));
    }
    before.current = moves;
    // The numbers are those of the end.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [note, moves]);
  useEffect(() => () => setTitlePrefix('uploads', null), []);
}
