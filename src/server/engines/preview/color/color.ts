/** OKLab: `l` 0 to 1, `a` and `b` about -0.4 to 0.4. Mixing and shifting look even to the eye. */
export interface Color {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

const clamp01 = (value: number): number => Math.min(1, Math.max(0, value));
const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const toGamma = (channel: number): number =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;

export function fromRgb(red: number, green: number, blue: number): Color {
  const r = toLinear(red / 255);
  const g = toLinear(green / 255);
  const b = toLinear(blue / 255);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

export function hex(value: string): Color {
  const bits = Number.parseInt(value.slice(1), 16);
  return fromRgb((bits >> 16) & 255, (bits >> 8) & 255, bits & 255);
}

function linearRgb({ l, a, b }: Color): [number, number, number] {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

type Rgb = readonly [red: number, green: number, blue: number];

/** A clip needs the same colors in every frame, so the latest conversions are cached by hash. */
const CACHE_SIZE = 2048;
const cache: ({ color: Color; rgb: Rgb } | undefined)[] = Array.from({ length: CACHE_SIZE });

const placeOf = ({ l, a, b }: Color): number =>
  (Math.imul(l * 65_535, 31) ^ Math.imul(a * 65_535, 8191) ^ Math.imul(b * 65_535, 131)) & (CACHE_SIZE - 1);

/** sRGB from 0 to 255; a color outside the gamut loses chroma, not lightness. */
export function toRgb(color: Color): Rgb {
  const place = placeOf(color);
  const cached = cache[place];
  if (cached && cached.color.l === color.l && cached.color.a === color.a && cached.color.b === color.b)
    return cached.rgb;
  const rgb = intoGamut(color);
  cache[place] = { color, rgb };
  return rgb;
}

function intoGamut(color: Color): Rgb {
  let inside = { ...color, l: clamp01(color.l) };
  for (let step = 0; step < 12; step++) {
    const rgb = linearRgb(inside);
    if (rgb.every((channel) => channel > -0.002 && channel < 1.002)) break;
    inside = { l: inside.l, a: inside.a * 0.88, b: inside.b * 0.88 };
  }
  const [r, g, b] = linearRgb(inside);
  const channel = (value: number): number => Math.round(toGamma(clamp01(value)) * 255);
  return [channel(r), channel(g), channel(b)];
}

export function css(color: Color, alpha = 1): string {
  const [r, g, b] = toRgb(color);
  return `rgba(${r},${g},${b},${clamp01(alpha).toFixed(4)})`;
}

export const mixColors = (from: Color, to: Color, amount: number): Color => ({
  l: from.l + (to.l - from.l) * amount,
  a: from.a + (to.a - from.a) * amount,
  b: from.b + (to.b - from.b) * amount,
});

export const lighten = (color: Color, amount: number): Color => ({ ...color, l: clamp01(color.l + amount) });
export const saturate = (color: Color, factor: number): Color => ({
  l: color.l,
  a: color.a * factor,
  b: color.b * factor,
});

export const chroma = ({ a, b }: Color): number => Math.hypot(a, b);
