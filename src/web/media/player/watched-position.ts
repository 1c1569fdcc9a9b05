import { createAtom, useSelector } from '@tanstack/react-store';
import { serviceMediaId } from '#web/api/reference-info.ts';

const MAX_POSITIONS = 50;

/** Seconds at which each clip of this page was last seen, by media id. */
const positions = createAtom<ReadonlyMap<string, number>>(new Map());

/** Remembers the position of a player, so that what continues with the clip takes the frame on screen. */
export function keepPosition(url: string, seconds: number): void {
  const id = serviceMediaId(url);
  if (id === null) return;
  positions.set((before) => {
    const others = [...before].filter(([other]) => other !== id);
    return new Map([...others, [id, seconds] as const].slice(-MAX_POSITIONS));
  });
}

/** Returns the seconds at which the clip was last seen, in hundredths; 0 if it was not played. */
export const useWatchedPosition = (mediaId: string | undefined): number =>
  useSelector(positions, (all) => Math.floor((all.get(mediaId ?? '') ?? 0) * 100) / 100);
