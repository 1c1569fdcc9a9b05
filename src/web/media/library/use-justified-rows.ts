import { useMemo, useState } from 'react';
import { type JustifiedRow, justifiedRows, clampRatio } from './justified-rows.ts';
import type { PreviewableMedia } from './media-thumbnail.tsx';

export const GRID_GAP_PX = 6;
const AUDIO_RATIO = 1.8;
const ROW_HEIGHT_REM = { narrow: 8.5, middle: 11, wide: 13.5 };
const BREAKPOINTS_REM = { middle: 36, wide: 64 };

const mediaRatio = ({ type, width, height }: PreviewableMedia): number =>
  clampRatio(type === 'audio' ? AUDIO_RATIO : width && height ? width / height : 1);

export function targetRowHeightPx(widthPx: number, remPx: number): number {
  const widthRem = widthPx / remPx;
  if (widthRem < BREAKPOINTS_REM.middle) return ROW_HEIGHT_REM.narrow * remPx;
  return (widthRem < BREAKPOINTS_REM.wide ? ROW_HEIGHT_REM.middle : ROW_HEIGHT_REM.wide) * remPx;
}

export interface JustifiedRowsOptions {
  media: readonly PreviewableMedia[];
  ids: readonly string[];
  widthPx: number;
  remPx: number;
  more: boolean;
  isAtTop: boolean;
}

/** Media that are added at the top while the list is scrolled change no existing row. */
export function useJustifiedRows({ media, ids, widthPx, remPx, more, isAtTop }: JustifiedRowsOptions): JustifiedRow[] {
  const [layout, setLayout] = useState({ ids, base: ids[0] });
  if (layout.ids !== ids) setLayout({ ids, base: nextBase(ids, layout.base, isAtTop) });
  const base = Math.max(0, layout.base === undefined ? 0 : ids.indexOf(layout.base));
  return useMemo(
    () =>
      justifiedRows(
        media.map(mediaRatio),
        { widthPx, targetPx: targetRowHeightPx(widthPx, remPx), gapPx: GRID_GAP_PX, more },
        base,
      ),
    [media, widthPx, remPx, more, base],
  );
}

const nextBase = (ids: readonly string[], base: string | undefined, isAtTop: boolean) =>
  isAtTop || base === undefined || !ids.includes(base) ? ids[0] : base;
