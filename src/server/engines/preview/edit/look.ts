import { toRgb, type Color } from '../color/color.ts';

/** Three rows of red, green and blue factors and an offset, on channels of 0 to 1. */
export type Affine = readonly [Row, Row, Row];
type Row = readonly [red: number, green: number, blue: number, offset: number];

export interface Look {
  color: Affine;
  blur: number;
  /** Blurs the sides; share of the shorter side. */
  background_blur: number;
  sharpen: number;
  vignette: number;
  grain: number;
  mosaic: number;
  mirror: boolean;
  upside_down: boolean;
  quarters: 0 | 1 | 2 | 3;
}

const IDENTITY_COLOR: Affine = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
];

export const UNCHANGED_LOOK: Look = {
  color: IDENTITY_COLOR,
  blur: 0,
  background_blur: 0,
  sharpen: 0,
  vignette: 0,
  grain: 0,
  mosaic: 0,
  mirror: false,
  upside_down: false,
  quarters: 0,
};

export function composeColors(first: Affine, second: Affine): Affine {
  const row = ([r, g, b, offset]: Row): Row => {
    const at = (column: 0 | 1 | 2 | 3): number => r * first[0][column] + g * first[1][column] + b * first[2][column];
    return [at(0), at(1), at(2), at(3) + offset];
  };
  return [row(second[0]), row(second[1]), row(second[2])];
}

const LUMA = [0.2126, 0.7152, 0.0722] as const;

/** 0: gray, 1: unchanged, above: more vivid. */
export function saturation(amount: number): Affine {
  const row = (own: number): Row => [
    LUMA[0] * (1 - amount) + (own === 0 ? amount : 0),
    LUMA[1] * (1 - amount) + (own === 1 ? amount : 0),
    LUMA[2] * (1 - amount) + (own === 2 ? amount : 0),
    0,
  ];
  return [row(0), row(1), row(2)];
}

export const gains = (red: number, green: number, blue: number, offset = 0): Affine => [
  [red, 0, 0, offset],
  [0, green, 0, offset],
  [0, 0, blue, offset],
];

export const contrast = (amount: number): Affine => gains(amount, amount, amount, 0.5 * (1 - amount));

/** Shifts the hue toward a color by `strength` and keeps lightness. */
export function tint(color: Color, strength: number): Affine {
  const [r, g, b] = toRgb(color).map((channel) => channel / 255) as [number, number, number];
  const luma = Math.max(0.12, LUMA[0] * r + LUMA[1] * g + LUMA[2] * b);
  const row = (channel: number, own: number): Row => {
    const scale = (channel / luma) * strength * 0.85;
    return [
      LUMA[0] * scale + (own === 0 ? 1 - strength : 0),
      LUMA[1] * scale + (own === 1 ? 1 - strength : 0),
      LUMA[2] * scale + (own === 2 ? 1 - strength : 0),
      channel * strength * 0.08,
    ];
  };
  return [row(r, 0), row(g, 1), row(b, 2)];
}

export const SEPIA: Affine = [
  [0.393, 0.769, 0.189, 0],
  [0.349, 0.686, 0.168, 0],
  [0.272, 0.534, 0.131, 0],
];

export const NEGATIVE: Affine = [
  [-1, 0, 0, 1],
  [0, -1, 0, 1],
  [0, 0, -1, 1],
];
