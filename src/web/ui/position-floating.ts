export type Side = 'bottom' | 'top' | 'right';
export type Align = 'start' | 'center' | 'end';

const gap_px = 6;
const margin_px = 8;

/** Flips the side where there is no room. The panel must be visible already, so that it has a size. */
export function positionFloating(anchor: Element, panel: HTMLElement, side: Side = 'bottom', align: Align = 'start') {
  const box = anchor.getBoundingClientRect();
  const width = panel.offsetWidth;
  const height = panel.offsetHeight;
  const view = document.documentElement;
  const along = { start: box.left, center: box.left + box.width / 2 - width / 2, end: box.right - width };
  const positions = {
    bottom: { left: along[align], top: box.bottom + gap_px },
    top: { left: along[align], top: box.top - gap_px - height },
    right: {
      left: box.right + gap_px,
      top: align === 'end' ? box.bottom - height : box.top + (align === 'center' ? (box.height - height) / 2 : 0),
    },
  } satisfies Record<Side, { left: number; top: number }>;
  const room = {
    bottom: positions.bottom.top + height + margin_px <= view.clientHeight,
    top: positions.top.top >= margin_px,
    right: positions.right.left + width + margin_px <= view.clientWidth,
  } satisfies Record<Side, boolean>;
  const opposite = { bottom: 'top', top: 'bottom', right: 'top' } as const satisfies Record<Side, Side>;
  const { left, top } = positions[room[side] || !room[opposite[side]] ? side : opposite[side]];
  panel.style.left = `${Math.max(margin_px, Math.min(left, view.clientWidth - width - margin_px))}px`;
  panel.style.top = `${Math.max(margin_px, Math.min(top, view.clientHeight - height - margin_px))}px`;
}
