import type { Model } from '#contract/resources/catalog.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { inputContract } from '#web/api/known-models.ts';
import type { GenerationRequest } from '#web/api/queries/generations.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { toInput } from '#web/forms/values/form-values.ts';
import { valuesFromInput } from '#web/forms/models/switch-input.ts';
import { loadedValidator } from '#web/forms/values/validator.ts';
import { prefillFromMedia } from '#web/features/create/prefill/prefill-media.ts';

export const MORE_COUNTS = [1, 2, 4] as const;

/**
 * The order for more results like one: the same settings without its seed, and with its picture as a reference where
 * the model takes one beside its settings.
 */
export function moreLikeThis(
  { task, model, input, output }: Pick<Generation, 'task' | 'model' | 'input' | 'output'>,
  models: readonly Model[] | undefined,
): GenerationRequest['body'] {
  const { seed: _seed, ...settings } = input;
  const same = { task, model, input: settings };
  const [asset] = output.assets;
  const source = inputContract(task, model);
  const contract = effectiveContract(task, model, models);
  if (asset?.type !== 'image' || asset.removed_at || !source || !contract) return same;
  // A required picture is what the task works on, not a reference.
  if (contract.fields.some((field) => 'media' in field && 'required' in field && field.required)) return same;
  const reference = { media: [asset], prompt: null, fields: null };
  const prefilled = prefillFromMedia({ task, model }, reference, valuesFromInput(source, settings), models);
  const validate = loadedValidator();
  if (!prefilled || !validate) return same;
  const withReference = toInput(contract, prefilled.values);
  return validate(contract, withReference, localServiceOrigin()).ok ? { ...same, input: withReference } : same;
}
