import type { AddedPriceUnit } from '#contract/added-models/price-schema.ts';
import type { FieldSpec, InputContract, Scalar } from '#contract/task.ts';
import { optionLabel } from '#web/forms/format-field-value.ts';
import type { ConditionValues, CountedQuantity } from './price-values.ts';

export const UNIT_OPTIONS: readonly { value: AddedPriceUnit; label: string }[] = [
  { value: 'image', label: 'image' },
  { value: 'second', label: 'second' },
  { value: 'megapixel', label: 'megapixel' },
  { value: '1000_characters', label: '1,000 characters' },
  { value: 'token', label: 'token' },
  { value: 'run', label: 'run' },
];

interface QuantityOption {
  label: string;
  quantity: CountedQuantity;
}

const isNumeric = ({ kind }: FieldSpec) => kind === 'number' || kind === 'integer' || kind === 'choice';

const isWhole = (field: FieldSpec) =>
  field.kind === 'integer' ||
  (field.kind === 'choice' && field.options.every((option) => /^[1-9]\d?$/.test(String(option))));

const FIXED_FPS = 24;

const BY_UNIT: Readonly<Record<AddedPriceUnit, readonly CountedQuantity['from'][]>> = {
  image: ['one', 'field', 'result'],
  second: ['field', 'frames', 'media', 'result'],
  megapixel: ['size', 'sides', 'field', 'media', 'result'],
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

function listOptions({ fields }: InputContract, unit: AddedPriceUnit): QuantityOption[] {
  const texts = fields.filter(({ kind }) => kind === 'text');
  const numbers = fields.filter(isNumeric);
  const frames = numbers.filter(({ name }) => /frames/.test(name));
  const rates = numbers.filter(({ name }) => /fps|frame_?rate/.test(name));
  const [width, height] = ['width', 'height'].map((side) => fields.find(({ name }) => name === side));
  return [
    { label: unit === 'run' ? 'Each run' : 'Each output', quantity: { from: 'one' } },
    ...numbers.map((field): QuantityOption => ({ label: field.label, quantity: { from: 'field', field: field.name } })),
    ...frames.flatMap((frame): QuantityOption[] => [
      ...rates.map((rate): QuantityOption => ({
        label: `${frame.label} ÷ ${rate.label}`,
        quantity: { from: 'frames', frames: frame.name, fps: { field: rate.name } },
      })),
      {
        label: `${frame.label} ÷ a fixed frame rate`,
        quantity: { from: 'frames', frames: frame.name, fps: { count: FIXED_FPS } },
      },
    ]),
    ...texts.map((field): QuantityOption => ({
      label: `Characters of ${field.label}`,
      quantity: { from: 'text', fields: [field.name] },
    })),
    ...(texts.length > 1 && texts.length <= 10
      ? [
          {
            label: 'Characters of all texts',
            quantity: { from: 'text', fields: texts.map(({ name }) => name) },
          } satisfies QuantityOption,
        ]
      : []),
    ...fields
      .filter(({ kind }) => kind === 'size' || kind === 'choice')
      .map((field): QuantityOption => ({ label: field.label, quantity: { from: 'size', field: field.name } })),
    ...(width && height
      ? [
          {
            label: `${width.label} × ${height.label}`,
            quantity: { from: 'sides', width: width.name, height: height.name },
          } satisfies QuantityOption,
        ]
      : []),
    ...fields
      .filter((field) => field.kind === 'reference' && (unit === 'megapixel' || field.media !== 'image'))
      .map((field): QuantityOption => ({
        label: `${unit === 'second' ? 'Length' : 'Size'} of ${field.label}`,
        quantity: { from: 'media', field: field.name },
      })),
    { label: RESULT_LABELS[unit], quantity: { from: 'result' } },
  ];
}

/** Equal for quantities that differ in a fixed frame rate only. */
export const quantityKey = (quantity: CountedQuantity): string =>
  JSON.stringify(
    quantity.from === 'frames' && 'count' in quantity.fps ? { ...quantity, fps: 'fixed' } : quantity,
    // Sorted, because the service stores objects with their keys in another order.
    (_name, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  );

/** What a price in a unit can count, with what it counts now. */
export function quantityOptions(
  contract: InputContract,
  unit: AddedPriceUnit,
  current: CountedQuantity,
): (QuantityOption & { value: string })[] {
  const options = listOptions(contract, unit)
    .filter(({ quantity }) => BY_UNIT[unit].includes(quantity.from))
    .map((option) => ({ ...option, value: quantityKey(option.quantity) }));
  const value = quantityKey(current);
  if (options.some((option) => option.value === value)) return options;
  const fields = Object.entries(current).flatMap(([name, each]) => (name === 'from' ? [] : [JSON.stringify(each)]));
  return [...options, { label: fields.join(', ') || 'Each output', quantity: current, value }];
}

/** What a price in another unit counts at first. */
export const firstQuantity = (contract: InputContract, unit: AddedPriceUnit): CountedQuantity => {
  const [first] = listOptions(contract, unit)
    .filter(({ quantity }) => BY_UNIT[unit].includes(quantity.from))
    .sort((a, b) => rank(contract, unit, a.quantity) - rank(contract, unit, b.quantity));
  return first?.quantity ?? { from: 'result' };
};

/** Fields that are named for it come first. */
function rank({ fields }: InputContract, unit: AddedPriceUnit, quantity: CountedQuantity): number {
  if (quantity.from === 'result') return 2;
  if (quantity.from !== 'field' && quantity.from !== 'size') return 1;
  const field = fields.find(({ name }) => name === quantity.field);
  const isLength = unit === 'second' && /duration|seconds|length/.test(field?.name ?? '');
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
  return [
    ...field.options.map((value) => ({ value, label: optionLabel(field, value) })),
    ...(field.nullable ? [{ value: null, label: optionLabel(field, null) }] : []),
  ];
}

export const isCountable = (field: FieldSpec | undefined): boolean => field !== undefined && isNumeric(field);

/** The condition with which a tier of a field starts. */
export function firstCondition(field: FieldSpec): ConditionValues {
  const options = conditionOptions(field);
  if (field.kind === 'boolean') return { field: field.name, is: 'one_of', values: [true] };
  if (options) return { field: field.name, is: 'one_of', values: [] };
  if (isNumeric(field)) return { field: field.name, is: 'at_least', least: '' };
  return { field: field.name, is: 'set' };
}
