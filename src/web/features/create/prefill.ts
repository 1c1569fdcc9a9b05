import { inputContract } from '#contract/catalog.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { Field, InputContract, MediaKind } from '#contract/task.ts';
import type { Place } from './switch-model.ts';
import { initialValues, referencesOf, type Values } from '#web/forms/input-values.ts';
import { mostItems } from '#web/forms/most-items.ts';
import { type Switched, switchInput, valuesFromInput } from '#web/forms/switch-input.ts';

/** A form filled in from elsewhere, and what did not fit. */
export interface Prefilled extends Place {
  /** What to say of it. */
  title: string;
  values: Values;
  changed: Switched['changed'];
  dropped: Switched['dropped'];
}

/** A generation's input, for its own model or, where `to` says so, for another. Null where the pair does not exist (any more). */
export function prefillFrom(generation: Generation, to: Place | null): Prefilled | null {
  const own = inputContract(generation.task, generation.model);
  const place = to ?? { task: generation.task, model: generation.model };
  const contract = inputContract(place.task, place.model);
  if (!own || !contract) return null;
  const values = valuesFromInput(own, generation.input);
  const title = 'Filled in from an earlier generation';
  if (own === contract) return { ...place, title, values, changed: [], dropped: [] };
  return { ...place, title, ...switchInput(own, contract, values) };
}

const takes = (kind: MediaKind) => (field: Field) => 'media' in field && field.media === kind;

/** The field that an output of some kind goes into: what the task works on, else the first that takes it. */
function fieldFor(contract: InputContract, kind: MediaKind) {
  const fields = contract.fields.filter(takes(kind));
  const field = fields.find((each) => 'required' in each && each.required) ?? fields[0];
  return field && 'media' in field ? field : undefined;
}

/** A form with an output put in, over what was typed there before; null where the form takes no such thing. */
export function prefillAsset(
  place: Place,
  asset: Pick<Asset, 'type' | 'url'>,
  draft: Values | undefined,
): Prefilled | null {
  const contract = inputContract(place.task, place.model);
  const field = contract && fieldFor(contract, asset.type);
  if (!contract || !field) return null;
  const values = draft ?? initialValues(contract);
  const item = { url: asset.url };
  const others = referencesOf(values[field.name]).filter(({ url }) => url !== asset.url);
  const list = [...others.slice(0, mostItems(contract, values, field) - 1), item];
  return {
    ...place,
    title: `Taken over into “${field.label}”`,
    values: { ...values, [field.name]: field.kind === 'reference' ? item : list },
    changed: [],
    dropped: [],
  };
}
