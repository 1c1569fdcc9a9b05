import { getKey, onSessionChange } from '#web/api/session/session.ts';
import type { STORED_UPLOADS_FLAG } from './stored-uploads-flag.ts';

/** Reads the flag of `stored-uploads-flag.ts` without importing it: that module is loaded on demand with the uploader. */
function hasStoredUploads(): boolean {
  try {
    return localStorage.getItem('emulsion.uploads' satisfies typeof STORED_UPLOADS_FLAG) !== null;
  } catch {
    return false;
  }
}

/** Resumes uploads that another page of this browser left unfinished, once somebody is signed in. Returns a function that stops it. */
export function resumeInterruptedUploads(): () => void {
  const loadUploader = () => import('./uploader.ts');
  const ignore = () => undefined;
  const resume = () => {
    if (getKey() !== null && hasStoredUploads())
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
