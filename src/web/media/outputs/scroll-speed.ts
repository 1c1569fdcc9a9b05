const FAST_PX_PER_MS = 1.5;
const STILL_AFTER_MS = 120;
const SAMPLE_MS = 50;

let sample = { yPx: 0, atMs: 0 };
let lastAtMs = 0;
let speedPxPerMs = 0;
let listening = false;

function onScroll() {
  const nowMs = performance.now();
  const yPx = window.scrollY;
  const elapsedMs = nowMs - sample.atMs;
  if (nowMs - lastAtMs > STILL_AFTER_MS) speedPxPerMs = 0;
  else if (elapsedMs >= SAMPLE_MS) speedPxPerMs = Math.abs(yPx - sample.yPx) / elapsedMs;
  if (elapsedMs >= SAMPLE_MS) sample = { yPx, atMs: nowMs };
  lastAtMs = nowMs;
}

/** Too fast for visible media to be worth loading. */
export function isScrollingFast(): boolean {
  if (!listening) {
    listening = true;
    // Capturing reads the offset before other listeners change the page, which would force a layout.
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
  }
  return speedPxPerMs > FAST_PX_PER_MS && performance.now() - lastAtMs < STILL_AFTER_MS;
}
