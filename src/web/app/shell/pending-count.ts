import { createAtom, useSelector } from '@tanstack/react-store';

/** How many generations and requests wait for a decision. Set by code that loads after the page. */
export const pendingCount = createAtom(0);

export const usePendingCount = (): number => useSelector(pendingCount);
