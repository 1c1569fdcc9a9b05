import { getSession, onSessionChange } from '#web/api/session/session.ts';
import type { STORED_UPLOADS_FLAG } from './stored-uploads-flag.ts';

/** Does not import `stored-uploads-flag.ts`, which is lazy-loaded with the uploader. */
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
