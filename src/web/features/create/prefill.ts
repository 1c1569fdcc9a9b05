import { inputContract } from '#contract/catalog.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { FieldSpec, InputContract, MediaKind } from '#contract/task.ts';
import type { CreateTarget } from './switch-model.ts';
import { initialValues, readReferences, type FormValues } from '#web/forms/form-values.ts';
import { maxReferenceCount } from '#web/forms/max-reference-count.ts';
import { type SwitchResult, switchInput, valuesFromInput } from '#web/forms/switch-input.ts';

/** Values to fill a form with, and those that did not fit. */
export interface PrefilledForm extends CreateTarget {
  /** The heading of the notice. */
  title: string;
  values: FormValues;
  changed: SwitchResult['changed'];
  dropped: SwitchResult['dropped'];
}

/** Prefills from a generation's input, for `to` or else its own model; null if the task or model no longer exists. */
export function prefillFromGeneration(generation: Generation, to: CreateTarget | null): PrefilledForm | null {
  const own = inputContract(generation.task, generation.model);
  const place = to ?? { task: generation.task, model: generation.model };
  const contract = inputContract(place.task, place.model);
  if (!own || !contract) return null;
  const values = valuesFromInput(own, generation.input);
  const title = 'Settings restored from an earlier result';
  if (own === contract) return { ...place, title, values, changed: [], dropped: [] };
  return { ...place, title, ...switchInput(own, contract, values) };
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
  place: CreateTarget,
  media: readonly Pick<Asset, 'type' | 'url'>[],
  draft: FormValues | undefined,
): PrefilledForm | null {
  const contract = inputContract(place.task, place.model);
  if (!contract) return null;
  const filled = Map.groupBy(media, ({ type }) => fieldForMedia(contract, type));
  filled.delete(undefined);
  if (filled.size === 0) return null;
  let values = draft ?? initialValues(contract);
  let put_in = 0;
  for (const [field, taken] of filled) {
    if (!field) continue;
    const most = maxReferenceCount(contract, values, field);
    const items = taken.slice(0, most).map(({ url }) => ({ url }));
    put_in += items.length;
    const others = readReferences(values[field.name]).filter(({ url }) => items.every((item) => item.url !== url));
    const list = [...others.slice(0, most - items.length), ...items];
    values = { ...values, [field.name]: field.kind === 'reference' ? list.at(-1) : list };
  }
  const labels = [...filled.keys()].map((field) => field?.label);
  const left = media.length - put_in;
  const rest = left > 0 ? `; ${left} more did not fit` : '';
  return { ...place, title: `Added to ${labels.join(' and ')}${rest}`, values, changed: [], dropped: [] };
}
