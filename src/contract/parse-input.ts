import type { ErrorDetail } from './errors.ts';
import { inputSchema } from './input-schema.ts';
import { toErrorDetails } from './error-details.ts';
import type { InputContract } from './task.ts';

export type ParsedInput = { ok: true; input: Record<string, unknown> } | { ok: false; details: ErrorDetail[] };

const labelCache = new WeakMap<InputContract, Record<string, string>>();
const fieldLabels = (contract: InputContract) => {
  const cached =
    labelCache.get(contract) ?? Object.fromEntries(contract.fields.map(({ name, label }) => [name, label]));
  labelCache.set(contract, cached);
  return cached;
};

/**
 * Validates a task's input: returns it with defaults filled in, or one row per problem with paths below `input`. The
 * form and the service both call it.
 * @param local_origin see `validateReferenceUrl`
 */
export function parseInput(contract: InputContract, input: unknown, local_origin: string | null): ParsedInput {
  const result = inputSchema(contract, local_origin).safeParse(input, { reportInput: true });
  if (result.success) return { ok: true, input: result.data };
  return { ok: false, details: toErrorDetails(result.error.issues, 'input', fieldLabels(contract)) };
}
