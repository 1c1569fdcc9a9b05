/** Below it, the result is out of sight: under the form on narrow screens, or above a scrolled feed. */
const NEAR_TOP = 0.4;

/** Scrolls to the result unless its top is in view. @param focus for a result that was opened from the feed */
export function scrollToResult({ focus = false } = {}): void {
  requestAnimationFrame(() => {
    const result = document.getElementById('result');
    if (!result) return;
    if (focus) result.focus({ preventScroll: true });
    const { top } = result.getBoundingClientRect();
    if (top < 0 || top > window.innerHeight * NEAR_TOP)
      result.scrollIntoView({ behavior: focus ? 'instant' : 'smooth' });
  });
}
