import { useMemo, useState } from 'react';
import { type JustifiedRow, justifiedRows, clampRatio } from './justified-rows.ts';
import type { PreviewableMedia } from './media-thumbnail.tsx';

export const GRID_GAP_PX = 6;
const AUDIO_RATIO = 1.8;
const ROW_HEIGHT_REM = { narrow: 8.5, middle: 11, wide: 13.5 };
const BREAKPOINTS_REM = { middle: 36, wide: 64 };

const mediaRatio = ({ type, width, height }: PreviewableMedia): number =>
  clampRatio(type === 'audio' ? AUDIO_RATIO : width && height ? width / height : 1);

export function targetRowHeight_px(width_px: number, rem_px: number): number {
  const width_rem = width_px / rem_px;
  if (width_rem < BREAKPOINTS_REM.middle) return ROW_HEIGHT_REM.narrow * rem_px;
  return (width_rem < BREAKPOINTS_REM.wide ? ROW_HEIGHT_REM.middle : ROW_HEIGHT_REM.wide) * rem_px;
}

export interface JustifiedRowsOptions {
  media: readonly PreviewableMedia[];
  ids: readonly string[];
  width_px: number;
  rem_px: number;
  more: boolean;
  is_at_top: boolean;
}

/** Media that are added at the top while the list is scrolled change no existing row. */
export function useJustifiedRows({
  media,
  ids,
  width_px,
  rem_px,
  more,
  is_at_top,
}: JustifiedRowsOptions): JustifiedRow[] {
  const [layout, setLayout] = useState({ ids, base: ids[0] });
  if (layout.ids !== ids) setLayout({ ids, base: nextBase(ids, layout.base, is_at_top) });
  const base = Math.max(0, layout.base === undefined ? 0 : ids.indexOf(layout.base));
  return useMemo(
    () =>
      justifiedRows(
        media.map(mediaRatio),
        { width_px, target_px: targetRowHeight_px(width_px, rem_px), gap_px: GRID_GAP_PX, more },
        base,
      ),
    [media, width_px, rem_px, more, base],
  );
}

const nextBase = (ids: readonly string[], base: string | undefined, is_at_top: boolean) =>
  is_at_top || base === undefined || !ids.includes(base) ? ids[0] : base;
