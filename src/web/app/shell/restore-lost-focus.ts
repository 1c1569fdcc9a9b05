import { ancestorsOf, focusNearest } from '#web/ui/hooks/focus-nearest.ts';

const FLOATING = '[data-base-ui-portal]';
/** Long enough for a dialog, a menu or a new page to move the focus itself. */
const SETTLE_MS = 60;
/** What is still hidden, such as a view that loads, takes no focus yet. */
const MAX_TRIES = 20;

/**
 * Moves the focus to an ancestor when the focused element is removed, for example with a deleted row or a link within a
 * page. Browsers move it to `<body>`, where a keyboard starts from the top and a screen reader loses its place. Call
 * once.
 * @returns a function that stops it
 */
export function restoreLostFocus(): () => void {
  // Something may have taken the focus before this was loaded.
  let path: Element[] = ancestorsOf(document.activeElement);
  /** Where the focus was before it entered a message, a panel or a dialog, which may close under it. */
  let origin: Element[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLost = () => document.activeElement === document.body && path[0]?.isConnected === false;
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    const floats = target.closest(FLOATING) !== null;
    if (!floats) origin = [];
    else if (!path[0]?.closest(FLOATING)) origin = path;
    path = ancestorsOf(target);
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    // A press on empty space removes the focus, but not the element. What loses it because it is hidden is often removed
    // a moment later.
    queueMicrotask(() => {
      if (document.activeElement === document.body && target instanceof Element && target.checkVisibility()) path = [];
    });
  };
  const restore = (tries: number) => {
    if (tries === 0 || !isLost()) return;
    const main = document.getElementById('main');
    focusNearest([...path, ...origin, ...(main ? [main] : [])]);
    timer = setTimeout(restore, SETTLE_MS, tries - 1);
  };
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    clearTimeout(timer);
    timer = setTimeout(restore, SETTLE_MS, MAX_TRIES);
  });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
  };
}
