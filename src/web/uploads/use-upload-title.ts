import { useEffect, useRef } from 'react';
import { ring } from '#web/away/ring.ts';
import { noteInTitle, noteUntilSeen } from '#web/away/tab-title.ts';
import type { Overall } from '#web/uploads/sending-words.ts';

const countWords = (done: number) => (done === 1 ? '1 file has arrived.' : `${done} files have arrived.`);

/** How far it is stands in the browser's tab; and that it is over, for whoever was away. */
export function useUploadTitle({ moving, hold, share, done, stuck }: Overall): void {
  const moves = moving > 0 && hold !== 'paused';
  const before = useRef(moves);
  const note = moves ? `Sending ${Math.floor(share * 100)}%` : null;
  useEffect(() => {
    noteInTitle('uploads', note);
    if (before.current && !moves && done + stuck > 0) {
      noteUntilSeen('uploads', stuck > 0 ? 'Not all uploaded' : 'Uploaded');
      if (document.hidden)
        void ring(stuck > 0 ? 'Not all files were uploaded' : 'All files uploaded', countWords(done));
    }
    before.current = moves;
    // The numbers are those of the end.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [note, moves]);
  useEffect(() => () => noteInTitle('uploads', null), []);
}
