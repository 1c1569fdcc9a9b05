import type { Model } from '#contract/resources/catalog.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Preset } from '#contract/resources/preset.ts';
import { inputContract } from '#web/api/known-models.ts';
import type { CreateTarget } from '#web/features/create/models/switch-model.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import { type SwitchResult, switchInput, valuesFromInput } from '#web/forms/models/switch-input.ts';

export interface PrefilledForm extends CreateTarget {
  title: string;
  values: FormValues;
  changed: SwitchResult['changed'];
  dropped: SwitchResult['dropped'];
}

/**
 * Returns null if the task or model no longer exists.
 * @param to defaults to the task and model of the generation
 * @param models of the models query
 */
export function prefillFromGeneration(
  generation: Generation,
  to: CreateTarget | null,
  models: readonly Model[] | undefined,
): PrefilledForm | null {
  const source = inputContract(generation.task, generation.model);
  const target = to ?? { task: generation.task, model: generation.model };
  const contract = effectiveContract(target.task, target.model, models);
  if (!source || !contract) return null;
  const values = valuesFromInput(source, generation.input);
  const title = 'Settings restored from an earlier result';
  if (source === contract) return { ...target, title, values, changed: [], dropped: [] };
  return { ...target, title, ...switchInput(source, contract, values) };
}

/** Returns null if the task or model no longer exists. Fields whose media are gone stay empty and are listed. */
export function prefillFromPreset(
  { name, task, model, input, missing_media }: Pick<Preset, 'name' | 'task' | 'model' | 'input' | 'missing_media'>,
  models: readonly Model[] | undefined,
): PrefilledForm | null {
  const contract = effectiveContract(task, model, models);
  if (!contract) return null;
  const labelOf = (field: string) => contract.fields.find((each) => each.name === field)?.label ?? field;
  const dropped = missing_media.map((field) => ({ label: labelOf(field), value: '(files no longer available)' }));
  const values = valuesFromInput(contract, input);
  return { task, model, title: `Preset “${name}” applied`, values, changed: [], dropped };
}
