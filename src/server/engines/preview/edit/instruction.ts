import type { Brief } from '../brief/brief.ts';
import { hasWord } from '../brief/score.ts';
import { namedColor } from '../color/named-colors.ts';
import {
  composeColors,
  contrast,
  gains,
  NEGATIVE,
  saturation,
  SEPIA,
  tint,
  UNCHANGED_LOOK,
  type Look,
} from './look.ts';

export interface Instruction {
  look: Look;
  /** Applied changes in plain words, for `data`. */
  applied: readonly string[];
  /** Width ÷ height, or null. */
  crop_ratio: number | null;
}

interface Change {
  name: string;
  when: string;
  apply(look: Look): Look;
}

const recolor = (look: Look, color: Look['color']): Look => ({ ...look, color: composeColors(look.color, color) });

const CHANGES: readonly Change[] = [
  {
    name: 'black and white',
    when: 'black_and_white monochrome grayscale greyscale noir',
    apply: (look) => recolor(recolor(look, saturation(0)), contrast(1.12)),
  },
  {
    name: 'sepia',
    when: 'sepia',
    apply: (look) => ({ ...recolor(recolor(look, SEPIA), contrast(0.95)), vignette: 0.4 }),
  },
  {
    name: 'vintage',
    when: 'vintage retro nostalgic film polaroid analog analogue old_photo 35mm kodak faded',
    apply: (look) => ({
      ...recolor(recolor(look, saturation(0.72)), composeColors(gains(1.06, 1, 0.86), gains(0.9, 0.9, 0.9, 0.055))),
      vignette: 0.45,
      grain: 0.34,
    }),
  },
  {
    name: 'warmer',
    when: 'warm warmer golden golden_hour sunset sunrise cozy cosy autumn sunny honey',
    apply: (look) => recolor(look, gains(1.12, 1.02, 0.84)),
  },
  {
    name: 'cooler',
    when: 'cool cooler cold winter icy frozen blue_hour arctic',
    apply: (look) => recolor(look, gains(0.86, 0.99, 1.14)),
  },
  {
    name: 'night',
    when: 'night midnight moonlight dusk evening nightfall twilight',
    apply: (look) => ({ ...recolor(recolor(look, saturation(0.7)), gains(0.42, 0.52, 0.78)), vignette: 0.6 }),
  },
  {
    name: 'brighter',
    when: 'bright brighter brighten lighten lighter light_up daylight noon day high_key',
    apply: (look) => recolor(look, gains(1.16, 1.16, 1.16, 0.03)),
  },
  {
    name: 'darker',
    when: 'dark darker darken dim dimmer moody low_key gloomy',
    apply: (look) => ({ ...recolor(look, gains(0.68, 0.68, 0.7)), vignette: 0.4 }),
  },
  {
    name: 'more contrast',
    when: 'contrast contrasty dramatic punchy cinematic bold',
    apply: (look) => ({ ...recolor(look, contrast(1.25)), vignette: Math.max(look.vignette, 0.3) }),
  },
  {
    name: 'more vivid',
    when: 'vivid vibrant saturated saturate colorful colourful pop richer',
    apply: (look) => recolor(look, saturation(1.45)),
  },
  {
    name: 'muted',
    when: 'muted desaturate desaturated pastel pale matte washed',
    apply: (look) => recolor(recolor(look, saturation(0.55)), gains(0.92, 0.92, 0.92, 0.06)),
  },
  {
    name: 'softer',
    when: 'soft softer dreamy ethereal glow glowing haze hazy',
    apply: (look) => ({ ...recolor(look, gains(0.96, 0.96, 0.96, 0.04)), blur: Math.max(look.blur, 0.0025) }),
  },
  { name: 'negative', when: 'invert inverted negative', apply: (look) => recolor(look, NEGATIVE) },
  {
    name: 'sharper',
    when: 'sharp sharper sharpen crisp crisper detailed enhance upscale',
    apply: (look) => ({ ...look, sharpen: 0.8 }),
  },
  {
    name: 'mosaic',
    when: 'pixel pixel_art pixelate pixelated mosaic censor 8_bit',
    apply: (look) => ({ ...look, mosaic: 0.018 }),
  },
  { name: 'film grain', when: 'grain grainy gritty noise', apply: (look) => ({ ...look, grain: 0.42 }) },
  { name: 'vignette', when: 'vignette', apply: (look) => ({ ...look, vignette: 0.65 }) },
];

function withGeometry(look: Look, words: readonly string[], applied: string[]): Look {
  const vertical = hasWord(words, 'vertical vertically upside_down upside');
  const flips = hasWord(words, 'flip flipped mirror mirrored');
  const turns = hasWord(words, 'rotate rotated turn');
  const half = words.includes('180') || (turns && vertical);
  const left = hasWord(words, 'left counterclockwise anticlockwise');
  const quarters = !turns ? 0 : half ? 2 : words.includes('270') || left ? 3 : 1;
  if (quarters !== 0) applied.push(`rotated ${quarters * 90}°`);
  if (flips) applied.push(vertical ? 'flipped top to bottom' : 'mirrored');
  return { ...look, quarters, mirror: flips && !vertical, upside_down: flips && vertical };
}

function withBlur(look: Look, words: readonly string[], applied: string[]): Look {
  const background = hasWord(words, 'background bokeh depth portrait_mode backdrop');
  if (!hasWord(words, 'blur blurred blurry bokeh defocus out_of_focus')) return look;
  applied.push(background ? 'blurred background' : 'blurred');
  return background ? { ...look, background_blur: 0.022 } : { ...look, blur: 0.016 };
}

function cropRatio(prompt: string, words: readonly string[]): number | null {
  if (!hasWord(words, 'crop cropped square')) return null;
  const named = /(\d{1,2})\s*[:x×]\s*(\d{1,2})(?!\d)/.exec(prompt);
  if (named) return Math.min(8, Math.max(1 / 8, Number(named[1]) / Math.max(1, Number(named[2]))));
  if (words.includes('square')) return 1;
  if (hasWord(words, 'portrait tall upright')) return 4 / 5;
  if (hasWord(words, 'landscape wide widescreen')) return 16 / 9;
  return null;
}

/** Reads the supported changes of an instruction; without any, tints the image in the colors of its words. */
export function readInstruction(prompt: string, brief: Brief): Instruction {
  const { words, palette } = brief;
  const applied: string[] = [];
  let look = withBlur(withGeometry(UNCHANGED_LOOK, words, applied), words, applied);
  for (const change of CHANGES) {
    if (!hasWord(words, change.when)) continue;
    applied.push(change.name);
    look = change.apply(look);
  }
  const grey = applied.includes('black and white');
  const color = grey ? undefined : words.find((word) => namedColor(word) !== undefined);
  const tone = color === undefined ? undefined : namedColor(color);
  if (color !== undefined && tone) {
    applied.push(`tinted ${color}`);
    look = recolor(look, tint(tone, 0.5));
  }
  const crop_ratio = cropRatio(prompt, words);
  if (crop_ratio !== null) applied.push('cropped');
  for (const kind of brief.weather) if (kind !== 'stars') applied.push(kind);
  if (applied.length === 0) {
    applied.push('light in the colours of the prompt');
    look = { ...recolor(look, composeColors(tint(palette.accent, 0.16), tint(palette.light, 0.1))), vignette: 0.3 };
  }
  return { look, applied, crop_ratio };
}
