import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/** The time in milliseconds, every second while something goes on and somebody looks. */
export function useNow(ticking: boolean): number {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const tick = () => {
      if (document.visibilityState === 'visible') setNow(Date.now());
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
  return now_ms;
}
