import type { ProviderPrice } from '#contract/providers.ts';
import { FIXED_QUALITY } from './image-request.ts';

const NOTE =
  'An estimate from output tokens of 1024 × 1024 pixels. OpenAI bills tokens, those of prompts and references included; the cost of each job is computed from its usage.';

const common = {
  unit: 'image',
  read_on: '2026-11-23',
  source: 'https://developers.openai.com/api/docs/pricing',
  note: NOTE,
} as const;

/** Costs of `gpt-image-2` in dollars at 1024 × 1024: OpenAI’s guide “Image generation”. */
const MEDIUM_USD = '0.053';
/** Costs of larger images relative to 1024 × 1024; ezkit.app measured 2.02 and 2.62 at medium quality. */
const LARGER = { '2K': '2.05', '4K': '2.7' } as const;

export const IMAGE_2_PRICE: ProviderPrice = {
  ...common,
  unit_price_usd: MEDIUM_USD,
  multipliers: { resolution: LARGER },
  note: `Images are made in quality ${FIXED_QUALITY}. ${NOTE}`,
};

/** Output tokens of `gpt-image-2.5-flare` at 1024 × 1024: 196, 439, 1756, 3122 and 7024. */
export const IMAGE_2_5_PRICE: ProviderPrice = {
  ...common,
  unit_price_usd: '0.006',
  multipliers: {
    quality: { medium: '2.2', high: '8.8', xhigh: '15.7', max: '35.2' },
    size: { '2048x2048': LARGER['2K'], '3840x2160': LARGER['4K'], '2160x3840': LARGER['4K'] },
  },
};
