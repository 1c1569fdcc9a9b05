import { getKey, onSessionChange } from '#web/session/session.ts';
import { isFlagged } from '#web/uploads/kept-flag.ts';

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
