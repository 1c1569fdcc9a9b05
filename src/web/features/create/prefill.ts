import { inputContract } from '#contract/catalog.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { FieldSpec, InputContract, MediaKind } from '#contract/task.ts';
import type { CreateTarget } from './switch-model.ts';
import { initialValues, readReferences, type FormValues } from '#web/forms/form-values.ts';
import { maxReferenceCount } from '#web/forms/max-reference-count.ts';
import { type SwitchResult, switchInput, valuesFromInput } from '#web/forms/switch-input.ts';

/** A form filled in from elsewhere, and what did not fit. */
export interface PrefilledForm extends CreateTarget {
  /** What to say of it. */
  title: string;
  values: FormValues;
  changed: SwitchResult['changed'];
  dropped: SwitchResult['dropped'];
}

/** A generation's input, for its own model or, where `to` says so, for another. Null where the pair does not exist (any more). */
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

/** The field that an output of some kind goes into: what the task works on, else the first that takes it. */
function fieldForMedia(contract: InputContract, kind: MediaKind) {
  const fields = contract.fields.filter(acceptsKind(kind));
  const field = fields.find((each) => 'required' in each && each.required) ?? fields[0];
  return field && 'media' in field ? field : undefined;
}

/** A form with media put in, over what was typed there before; null where the form takes none of them. */
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
