import { getKey, onSessionChange } from '#web/api/session/session.ts';
import type { STORED_UPLOADS_FLAG } from './stored-uploads-flag.ts';

/** Whether `stored-uploads-flag.ts` was told so. That is fetched later, with what sends files; what this needs is here. */
function hasStoredUploads(): boolean {
  try {
    return localStorage.getItem('emulsion.uploads' satisfies typeof STORED_UPLOADS_FLAG) !== null;
  } catch {
    return false;
  }
}

/** Goes on with files that another page of this browser left unfinished, once their owner is there. Returns how to stop. */
export function resumeInterruptedUploads(): () => void {
  const bring = () => import('./uploader.ts');
  const nobody = () => undefined;
  const look = () => {
    if (getKey() !== null && hasStoredUploads())
      bring()
        .then(({ resumeUploads: goOn }) => goOn(), nobody)
        .catch(nobody);
  };
  look();
  return onSessionChange((state) => {
    if (state === 'signed_in') look();
    if (state === 'signed_out' && hasStoredUploads()) bring().then(({ clearUploads: clear }) => clear(), nobody);
  });
}
