import { ancestorsOf, focusNearest } from '#web/ui/focus-nearest.ts';

/** Long enough for a dialog, a menu or a new page to place the focus itself. */
const SETTLE_MS = 60;

/**
 * Moves the focus to what was around the focused element when that element is removed, for example a row that was deleted
 * or a link that led to another part of the same page. Browsers drop it to `<body>`, where a keyboard starts from the top and
 * a screen reader loses its place. Call once; returns how to stop.
 */
export function restoreLostFocus(): () => void {
  let path: Element[] = [];
  /** Where the focus was before it entered a toast or a popover, which may close under it. */
  let origin: Element[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLost = () => document.activeElement === document.body && path[0]?.isConnected === false;
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    const floats = target.closest('[popover]') !== null;
    if (!floats) origin = [];
    else if (!path[0]?.closest('[popover]')) origin = path;
    path = ancestorsOf(target);
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    // A press beside everything leaves the element on the page: then nothing is lost.
    queueMicrotask(() => {
      if (document.activeElement === document.body && target instanceof Element && target.isConnected) path = [];
    });
  };
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const main = document.getElementById('main');
      if (isLost()) focusNearest([...path, ...origin, ...(main ? [main] : [])]);
    }, SETTLE_MS);
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
