import { getKey, onSessionChange } from '#web/session/session.ts';
import type { KEPT_FLAG } from '#web/uploads/kept-flag.ts';

/** Whether `kept-flag.ts` was told so. That is fetched later, with what sends files; what this needs is here. */
function isFlagged(): boolean {
  try {
    return localStorage.getItem('emulsion.uploads' satisfies typeof KEPT_FLAG) !== null;
  } catch {
    return false;
  }
}

/** Goes on with files that another page of this browser left unfinished, once their owner is there. Returns how to stop. */
export function goOnWithUploads(): () => void {
  const bring = () => import('#web/uploads/engine.ts');
  const nobody = () => undefined;
  const look = () => {
    if (getKey() !== null && isFlagged())
      bring()
        .then(({ goOn }) => goOn(), nobody)
        .catch(nobody);
  };
  look();
  return onSessionChange((state) => {
    if (state === 'signed_in') look();
    if (state === 'signed_out' && isFlagged()) bring().then(({ clear }) => clear(), nobody);
  });
}
