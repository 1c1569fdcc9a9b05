import { inputContract } from '#contract/catalog.ts';
import type { Model } from '#contract/resources/catalog.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { Preset } from '#contract/resources/preset.ts';
import type { FieldSpec, InputContract, MediaKind } from '#contract/task.ts';
import type { CreateTarget } from './switch-model.ts';
import { effectiveContract } from '#web/forms/effective-contract.ts';
import { initialValues, readReferences, type FormValues } from '#web/forms/form-values.ts';
import { maxReferenceCount } from '#web/forms/max-reference-count.ts';
import { type SwitchResult, switchInput, valuesFromInput } from '#web/forms/switch-input.ts';

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

const acceptsKind = (kind: MediaKind) => (field: FieldSpec) => 'media' in field && field.media === kind;

/** The field for media of a kind: the required one, else the first that accepts it. */
function fieldForMedia(contract: InputContract, kind: MediaKind) {
  const fields = contract.fields.filter(acceptsKind(kind));
  const field = fields.find((each) => 'required' in each && each.required) ?? fields[0];
  return field && 'media' in field ? field : undefined;
}

/** Prefills with media, keeping the draft's other values; null if no field accepts them. */
export function prefillFromMedia(
  target: CreateTarget,
  media: readonly Pick<Asset, 'type' | 'url'>[],
  draft: FormValues | undefined,
  models: readonly Model[] | undefined,
): PrefilledForm | null {
  const contract = effectiveContract(target.task, target.model, models);
  if (!contract) return null;
  const mediaByField = Map.groupBy(media, ({ type }) => fieldForMedia(contract, type));
  mediaByField.delete(undefined);
  if (mediaByField.size === 0) return null;
  let values = draft ?? initialValues(contract);
  let left_over = media.length;
  for (const [field, accepted] of mediaByField) {
    if (!field) continue;
    const max = maxReferenceCount(contract, values, field);
    const items = accepted.slice(0, max).map(({ url }) => ({ url }));
    left_over -= items.length;
    const previous = readReferences(values[field.name]).filter(({ url }) => items.every((item) => item.url !== url));
    const list = [...previous.slice(0, max - items.length), ...items];
    values = { ...values, [field.name]: field.kind === 'reference' ? list.at(-1) : list };
  }
  const labels = [...mediaByField.keys()].map((field) => field?.label);
  const remainder = left_over > 0 ? `; ${left_over} more did not fit` : '';
  return { ...target, title: `Added to ${labels.join(' and ')}${remainder}`, values, changed: [], dropped: [] };
}
