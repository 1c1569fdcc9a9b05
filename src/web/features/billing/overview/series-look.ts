/** How the parts of a bar are told apart: by colour, and by pattern for whoever can't go by colour. The largest first. */
const LOOKS = [
  'var(--amber-edge)',
  'repeating-linear-gradient(45deg, var(--info) 0 3px, var(--info-soft) 3px 6px)',
  'var(--good)',
  'repeating-linear-gradient(0deg, var(--review) 0 2px, var(--review-soft) 2px 4px)',
  'var(--ink-2)',
  'repeating-linear-gradient(-45deg, var(--ink-3) 0 2px, var(--hover) 2px 5px)',
] as const;

export const seriesLook = (at: number): string => LOOKS[at % LOOKS.length] ?? LOOKS[0];
