const FAST_PX_PER_MS = 1.5;
const STILL_AFTER_MS = 120;
const SAMPLE_MS = 50;

let sample = { y_px: 0, at_ms: 0 };
let last_at_ms = 0;
let speed_px_per_ms = 0;
let listening = false;

function onScroll() {
  const now_ms = performance.now();
  const y_px = window.scrollY;
  const elapsed_ms = now_ms - sample.at_ms;
  if (now_ms - last_at_ms > STILL_AFTER_MS) speed_px_per_ms = 0;
  else if (elapsed_ms >= SAMPLE_MS) speed_px_per_ms = Math.abs(y_px - sample.y_px) / elapsed_ms;
  if (elapsed_ms >= SAMPLE_MS) sample = { y_px, at_ms: now_ms };
  last_at_ms = now_ms;
}

/** Too fast for visible media to be worth loading. */
export function isScrollingFast(): boolean {
  if (!listening) {
    listening = true;
    // Capturing reads the offset before other listeners change the page, which would force a layout.
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
  }
  return speed_px_per_ms > FAST_PX_PER_MS && performance.now() - last_at_ms < STILL_AFTER_MS;
}
