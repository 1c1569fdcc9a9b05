import type { Me } from '#contract/resources/api-key.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { estimateTextCost } from '#server/models/text/text-cost.ts';
import { findInstructions } from './instructions.ts';

/** A short prompt becomes a paragraph. */
const TYPICAL_CHARACTERS = { input: 120, output: 600 };

/** Whether a caller can improve prompts, and at what cost. Decision: Improve a prompt */
export function describeImprovement(
  { offering }: Deps,
  { permissions }: Pick<Caller, 'permissions'>,
): Pick<Me, 'improve_prompt'> {
  const { text_model } = offering.current();
  if (!text_model || !permissions.has('work.create')) return {};
  const instructions = findInstructions('image.create') ?? '';
  const typical = roundToDigit(
    estimateTextCost(text_model.settings, { instructions, text_characters: TYPICAL_CHARACTERS }),
  );
  return { improve_prompt: { typical_cost_usd: permissions.has('costs.read') ? formatUsd(typical) : null } };
}

/** An estimate is not known to more than one digit. */
const roundToDigit = (microUsd: bigint): bigint => BigInt(Number(Number(microUsd).toPrecision(1)));
