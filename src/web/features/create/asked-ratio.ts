import type { InputContract } from '#contract/task.ts';
import { isRatio, ratioOf } from '#web/forms/option-measure.ts';

/** Width ÷ height that an input asks for; null where it leaves that open. */
export function askedRatio(contract: InputContract, input: Readonly<Record<string, unknown>>): number | null {
  const field = contract.fields.find(isRatio);
  return field ? ratioOf(input[field.name]) : null;
}
