import { describe, expect, it } from 'vitest';
import { lineArithmetic, lineName } from './cost-words.ts';

const line = {
  description: 'vidmodel-c-2',
  quantity: '8',
  unit: 'second',
  unit_price_usd: '0.0575',
  amount_usd: '0.46',
};

describe('a line of the price', () => {
  it('names the model and shows the arithmetic', () => {
    expect(lineName(line)).toBe('VidModel C 2');
    expect(lineArithmetic(line)).toBe('8 seconds × $0.0575');
    expect(lineArithmetic({ ...line, quantity: '1', unit: 'image' })).toBe('1 image × $0.0575');
  });

  it('names a tool by its task and leaves the words of the service', () => {
    expect(lineName({ ...line, description: 'video.trim' })).toBe('Trim a video');
    expect(lineName({ ...line, description: 'Minimum charge' })).toBe('Minimum charge');
    expect(lineArithmetic({ ...line, description: 'Minimum charge' })).toBe('Brings the price up to the minimum');
  });
});
