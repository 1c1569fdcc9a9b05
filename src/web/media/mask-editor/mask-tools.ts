import { Brush, Eraser, Lasso, type LucideIcon, SquareDashed } from 'lucide-react';

export const MASK_TOOLS = {
  brush: { label: 'Brush', key: 'b', icon: Brush },
  eraser: { label: 'Eraser', key: 'e', icon: Eraser },
  rectangle: { label: 'Rectangle', key: 'r', icon: SquareDashed },
  lasso: { label: 'Lasso', key: 'l', icon: Lasso },
} as const satisfies Record<string, { label: string; key: string; icon: LucideIcon }>;

export type MaskTool = keyof typeof MASK_TOOLS;

/** Diameter of the brush on the screen, so that zooming in paints finer. */
export const BRUSH_PX = { min: 4, max: 240, initial: 48 };

export const resizeBrush = (sizePx: number, by: 1 | -1): number =>
  Math.min(BRUSH_PX.max, Math.max(BRUSH_PX.min, Math.round(by === 1 ? sizePx * 1.25 : sizePx / 1.25)));
