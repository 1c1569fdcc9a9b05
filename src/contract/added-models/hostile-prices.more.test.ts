import { it } from 'vitest';
import { checkHostilePrices } from './testing/check-hostile-prices.ts';

const RUNS = 20_000;

it('keeps thousands of hostile inputs and bills within the bound, and charges for all of them', () => {
  checkHostilePrices(RUNS);
}, 300_000);
