import { MAX_RUN_MICRO_USD } from '#contract/money/money.ts';
import type { TextModel } from '#contract/resources/text-model.ts';
import type { Bill } from '#server/models/engine/job-cost.ts';
import { computeTokenCost } from '#server/models/engine/token-cost.ts';
import type { TextRequest, TextResponse } from './text-model.ts';

type Prices = Pick<TextModel, 'input_usd_per_million' | 'output_usd_per_million'>;

/** What a call costs, in micro-dollars. */
export const computeTextCost = (
  { input_usd_per_million, output_usd_per_million }: Prices,
  { input_tokens, output_tokens }: NonNullable<TextResponse['usage']>,
): Bill =>
  computeTokenCost([
    { tokens: input_tokens, usd_per_million: Number(input_usd_per_million) },
    { tokens: output_tokens, usd_per_million: Number(output_usd_per_million) },
  ]);

const limited = (bill: Bill): bigint => (bill === 'unreadable' ? MAX_RUN_MICRO_USD : bill);

/** Tokens that providers add around messages. */
const MESSAGE_TOKENS = 100;

/** The most that a call can cost: no token is shorter than a byte. */
export const computeMaxTextCost = (
  prices: Prices,
  { instructions, text, max_output_tokens }: Pick<TextRequest, 'instructions' | 'text' | 'max_output_tokens'>,
): bigint =>
  limited(
    computeTextCost(prices, {
      input_tokens: Buffer.byteLength(instructions) + Buffer.byteLength(text) + MESSAGE_TOKENS,
      output_tokens: max_output_tokens,
    }),
  );

/** What a call usually costs: a token of English is about four characters. */
export const estimateTextCost = (
  prices: Prices,
  { instructions, text_characters }: { instructions: string; text_characters: { input: number; output: number } },
): bigint =>
  limited(
    computeTextCost(prices, {
      input_tokens: Math.ceil((instructions.length + text_characters.input) / 4),
      output_tokens: Math.ceil(text_characters.output / 4),
    }),
  );
