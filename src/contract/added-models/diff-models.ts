import { formatMoney } from '#contract/money/money.ts';
import type { FieldSpec } from '../task.ts';
import type { AddedModelVersion } from './definition.ts';
import { cleanText } from './fields/describe-field.ts';
import { diffFieldLists, listNames, type ModelChange } from './fields/diff-fields.ts';
import type { NormalizedModel } from './fields/normalize-schema.ts';
import { countedFields } from './prices/price.ts';
import type { AddedPrice } from './prices/price-schema.ts';
import { canonicalJson } from './schema-hash.ts';
import { type PublishedPrice, suggestPrice } from './prices/suggest-price.ts';

interface NewerModel {
  normalized: NormalizedModel;
  published_price?: PublishedPrice | null | undefined;
}

/**
 * Says what a newer schema and a newer price of a model change. A change that breaks means that the form of the older
 * schema makes inputs which the model does not take.
 */
export function diffModels(
  before: Pick<AddedModelVersion, 'normalized' | 'price'>,
  { normalized: after, published_price }: NewerModel,
): ModelChange[] {
  const { normalized: older, price } = before;
  const schema = [
    ...diffInputs(older, after),
    ...diffAdvanced(older, after),
    ...diffConstants(older, after),
    ...diffOutputs(older, after),
  ];
  const isOther = schema.length === 0 && older.hash !== after.hash;
  return [
    ...schema,
    ...(isOther ? [change('other', null, 'The schema changed in a way that the form does not show.', false)] : []),
    ...diffPrice(price, after, published_price ?? null),
  ];
}

const change = (kind: ModelChange['kind'], field: string | null, message: string, breaks: boolean): ModelChange => ({
  kind,
  field,
  message,
  breaks,
});

const formFields = ({ contract, advanced }: NormalizedModel): readonly FieldSpec[] =>
  contract.fields.filter(({ name }) => name !== advanced?.field);

/** Inputs that moved between the form, the Advanced field and the constants are reported by those. */
function diffInputs(before: NormalizedModel, after: NormalizedModel): ModelChange[] {
  const options = { path: '', prefix: '', sends_null: before.sends_null };
  const isElsewhere = (model: NormalizedModel, name: string | null): boolean =>
    name !== null && (model.advanced?.names.includes(name) === true || Object.hasOwn(model.hidden, name));
  return diffFieldLists(formFields(before), formFields(after), options).filter(
    ({ kind, field }) =>
      !(kind === 'removed' && isElsewhere(after, field)) && !(kind === 'added' && isElsewhere(before, field)),
  );
}

function diffAdvanced({ advanced: older, contract }: NormalizedModel, after: NormalizedModel): ModelChange[] {
  const { advanced: newer } = after;
  const schemaOf = (advanced: NormalizedModel['advanced'], name: string): string => {
    const { properties, required } = advanced?.json_schema ?? {};
    const isRequired = Array.isArray(required) && required.includes(name);
    return canonicalJson([isRequired, (properties as Readonly<Record<string, unknown>> | undefined)?.[name]]);
  };
  const isRequired = (name: string): boolean => {
    const { required } = newer?.json_schema ?? {};
    return Array.isArray(required) && required.includes(name);
  };
  const newNames = newer?.names ?? [];
  const lost = (older?.names ?? []).flatMap((name) => {
    const field = after.contract.fields.find((each) => each.name === name);
    if (field) return [change('value_kind', name, `“${field.label}” has a field of its own now.`, false)];
    if (!newNames.includes(name)) return [change('removed', name, `Advanced no longer has “${name}”.`, true)];
    if (schemaOf(older, name) === schemaOf(newer, name)) return [];
    return [change('value_kind', name, `“${name}” of Advanced takes other values.`, true)];
  });
  const gained = newNames
    .filter((name) => !older?.names.includes(name))
    .map((name) => {
      const field = contract.fields.find((each) => each.name === name);
      if (field) return change('value_kind', name, `“${field.label}” has to be written as JSON in Advanced.`, true);
      const suffix = isRequired(name) ? ' and has to be set' : '';
      return change('added', name, `“${name}” of Advanced is new${suffix}.`, isRequired(name));
    });
  return [...lost, ...gained];
}

/** Constants are sent with every input. */
function diffConstants(before: NormalizedModel, after: NormalizedModel): ModelChange[] {
  const show = (value: unknown) => cleanText(String(value), 60);
  const findField = ({ contract }: NormalizedModel, name: string) =>
    contract.fields.find((field) => field.name === name);
  const known = Object.entries(before.hidden).flatMap(([name, value]) => {
    const field = findField(after, name);
    if (field) return [change('value_kind', name, `“${field.label}” can be chosen now.`, false)];
    if (!Object.hasOwn(after.hidden, name))
      return [change('constant', name, `The constant “${name}” no longer exists.`, true)];
    const newer = after.hidden[name];
    if (canonicalJson(value) === canonicalJson(newer)) return [];
    return [change('constant', name, `The constant “${name}” is ${show(newer)} instead of ${show(value)}.`, true)];
  });
  const added = Object.keys(after.hidden)
    .filter((name) => !Object.hasOwn(before.hidden, name))
    .map((name) => {
      const field = findField(before, name);
      const message = `“${field?.label ?? name}” is always ${show(after.hidden[name])} now.`;
      return change('constant', name, message, field !== undefined);
    });
  return [...known, ...added];
}

const KIND_NOUNS = { image: 'images', video: 'videos', audio: 'audio', file: 'other files', unknown: 'files' } as const;

function describeOutput({ output }: NormalizedModel): string {
  const kinds = new Set(output.files.map(({ kind }) => KIND_NOUNS[kind ?? 'unknown']));
  const all = [...kinds, ...(output.has_data ? ['data'] : [])].sort();
  return all.length === 0 ? 'nothing' : listNames(all);
}

function diffOutputs(before: NormalizedModel, after: NormalizedModel): ModelChange[] {
  const [older, newer] = [describeOutput(before), describeOutput(after)];
  return older === newer ? [] : [change('output', null, `The model returns ${newer} instead of ${older}.`, false)];
}

function diffPrice(
  price: AddedPrice,
  { contract, output }: NormalizedModel,
  published: PublishedPrice | null,
): ModelChange[] {
  const lost = [...countedFields(price)].filter((name) => !contract.fields.some((field) => field.name === name));
  const missing =
    lost.length > 0
      ? [change('price', null, `The price depends on ${listNames(lost)}, which the model no longer has.`, true)]
      : [];
  const form = { contract, output, category: null, price_text: null };
  const newer = published && suggestPrice(published, form).price;
  // A price in another unit is one that the administrator worked out.
  if (!newer || newer.unit !== price.unit) return missing;
  const perMillion = ({ unit_price_micro_usd, per }: AddedPrice) => (unit_price_micro_usd * 1_000_000) / per;
  if (perMillion(newer) === perMillion(price)) return missing;
  const noun = price.unit.replace('_', ' ');
  const show = ({ unit_price_micro_usd, per }: AddedPrice) =>
    `${formatMoney(BigInt(unit_price_micro_usd))} per ${per === 1 ? noun : `${per.toLocaleString('en-US')} × ${noun}`}`;
  return [...missing, change('price', null, `The provider’s price is ${show(newer)}; yours is ${show(price)}.`, false)];
}
