import { isLengthField, timeUnitOf } from '#contract/added-models/prices/length-field.ts';
import type { AddedPriceUnit, PriceCondition, PriceQuantity } from '#contract/added-models/prices/price-schema.ts';
import type { FieldSpec, InputContract, Scalar } from '#contract/task.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';

interface QuantityOption {
  label: string;
  quantity: PriceQuantity;
}

const isNumeric = ({ kind }: FieldSpec) => kind === 'number' || kind === 'integer' || kind === 'choice';

const isWhole = (field: FieldSpec) =>
  field.kind === 'integer' ||
  (field.kind === 'choice' && field.options.every((option) => /^[1-9]\d?$/.test(String(option))));

const BY_UNIT: Readonly<Record<AddedPriceUnit, readonly PriceQuantity['from'][]>> = {
  image: ['one', 'field', 'result'],
  second: ['field', 'media', 'result'],
  megapixel: ['size', 'field', 'media', 'result'],
  '1000_characters': ['text', 'result'],
  token: ['result', 'field'],
  run: ['one', 'result'],
};

const RESULT_LABELS: Readonly<Record<AddedPriceUnit, string>> = {
  image: 'Images of the result',
  second: 'Seconds that the provider bills, known afterwards',
  megapixel: 'Megapixels that the provider bills, known afterwards',
  '1000_characters': 'Characters that the provider bills, known afterwards',
  token: 'Tokens that the provider bills, known afterwards',
  run: 'Units that the provider bills, known afterwards',
};

/** What a price in a unit can count. */
function listOptions({ fields }: InputContract, unit: AddedPriceUnit): QuantityOption[] {
  const largest = null;
  const texts = fields.flatMap(({ kind, name }) => (kind === 'text' ? [name] : []));
  const ofFields = fields.flatMap((field): QuantityOption[] => {
    const { name, label, kind } = field;
    const options: QuantityOption[] = [];
    const measuredIn = unit === 'second' ? (timeUnitOf(field) ?? 'seconds') : 'seconds';
    const inUnit = measuredIn === 'seconds' ? {} : { measured_in: measuredIn };
    if (isNumeric(field)) options.push({ label, quantity: { from: 'field', field: name, largest, ...inUnit } });
    if (kind === 'size' || kind === 'choice') options.push({ label, quantity: { from: 'size', field: name, largest } });
    if (kind === 'text')
      options.push({ label: `Characters of ${label}`, quantity: { from: 'text', fields: [name], largest } });
    if (kind === 'reference' && (unit === 'megapixel' || field.media !== 'image')) {
      const what = unit === 'second' ? 'Length' : 'Size';
      options.push({ label: `${what} of ${label}`, quantity: { from: 'media', field: name, largest } });
    }
    return options;
  });
  const all: QuantityOption[] = [
    { label: unit === 'run' ? 'Each run' : 'Each output', quantity: { from: 'one' } },
    ...ofFields,
    ...(texts.length > 1 && texts.length <= 10
      ? [{ label: 'Characters of all texts', quantity: { from: 'text', fields: texts, largest } } as const]
      : []),
    { label: RESULT_LABELS[unit], quantity: { from: 'result', largest } },
  ];
  return all.filter(({ quantity }) => BY_UNIT[unit].includes(quantity.from));
}

const fieldsOf = (quantity: PriceQuantity): readonly string[] =>
  'field' in quantity ? [quantity.field] : 'fields' in quantity ? quantity.fields : [];

export const quantityKey = (quantity: PriceQuantity): string => JSON.stringify([quantity.from, ...fieldsOf(quantity)]);

/** What a price in a unit can count, with what it counts now. */
export function quantityOptions(
  contract: InputContract,
  unit: AddedPriceUnit,
  current: PriceQuantity,
): (QuantityOption & { value: string })[] {
  const options = listOptions(contract, unit).map((option) => ({ ...option, value: quantityKey(option.quantity) }));
  const value = quantityKey(current);
  if (options.some((option) => option.value === value)) return options;
  return [...options, { label: fieldsOf(current).join(', ') || 'Each output', quantity: current, value }];
}

/** What a price in another unit counts at first. */
export const firstQuantity = (contract: InputContract, unit: AddedPriceUnit): PriceQuantity => {
  const [first] = listOptions(contract, unit).sort(
    (a, b) => rank(contract, unit, a.quantity) - rank(contract, unit, b.quantity),
  );
  return first?.quantity ?? { from: 'result', largest: null };
};

/** Fields that are named for it come first. */
function rank({ fields }: InputContract, unit: AddedPriceUnit, quantity: PriceQuantity): number {
  if (quantity.from === 'result') return 2;
  if (quantity.from !== 'field' && quantity.from !== 'size') return 1;
  const field = fields.find(({ name }) => name === quantity.field);
  const isLength = unit === 'second' && field !== undefined && isLengthField(field);
  return isLength || field?.kind === 'size' ? 0 : 3;
}

/** Fields whose number is the count of outputs. */
export const outputOptions = ({ fields }: InputContract): { value: string; label: string }[] =>
  fields.filter(isWhole).map(({ name, label }) => ({ value: name, label }));

/** Values of a field that a tier can ask for; null: any text or number. */
export function conditionOptions(field: FieldSpec | undefined): { value: Scalar; label: string }[] | null {
  if (field?.kind === 'boolean')
    return [
      { value: true, label: 'On' },
      { value: false, label: 'Off' },
      ...(field.nullable ? [{ value: null, label: 'Not set' }] : []),
    ];
  if (field?.kind === 'size') return field.options.map((value) => ({ value, label: value }));
  if (field?.kind !== 'choice') return null;
  return [...field.options, ...(field.nullable ? [null] : [])].map((value) => ({
    value,
    label: optionLabel(field, value),
  }));
}

export const isCountable = (field: FieldSpec | undefined): boolean => field !== undefined && isNumeric(field);

/** The condition with which a tier of a field starts. */
export function firstCondition(field: FieldSpec): PriceCondition {
  const { name } = field;
  if (field.kind === 'boolean') return { field: name, in: [true] };
  if (conditionOptions(field)) return { field: name, in: [] };
  return isNumeric(field) ? { field: name, at_least: Number.NaN } : { field: name, present: true };
}
