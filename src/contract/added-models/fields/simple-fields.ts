import type { BooleanFieldSpec, ChoiceFieldSpec, NumberFieldSpec, TextFieldSpec } from '#contract/task.ts';
import type { Json } from '#contract/json-value.ts';
import { cleanText, fieldBase, fieldGroup, firstExample, isWriting } from './describe-field.ts';
import { type FieldSource, isNullable } from './field-reading.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';

const MIN_MULTILINE_CHARACTERS = 400;

const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Requiredness of a field without a default. */
const presence = (required: boolean) =>
  required ? ({ required: true } as const) : ({ nullable: true, default: null } as const);

export function readText({ name, schema, required }: FieldSource): TextFieldSpec {
  const max_length = Math.min(
    Math.max(count(schema['maxLength']) ?? SCHEMA_LIMITS.text_characters, 1),
    SCHEMA_LIMITS.text_characters,
  );
  const min_length = Math.min(Math.max(count(schema['minLength']) ?? 1, 1), max_length);
  const { default: preset } = schema;
  const example = firstExample(schema);
  const hasDefault = typeof preset === 'string' && preset.length <= max_length && (preset !== '' || !required);
  return {
    ...fieldBase(name, schema, fieldGroup(name, required)),
    kind: 'text',
    // An empty text that is sent is one that a person emptied.
    ...(hasDefault ? { default: preset, ...(isNullable(schema) ? { nullable: true } : {}) } : presence(required)),
    min_length,
    max_length,
    multiline: isWriting(name) || (count(schema['maxLength']) ?? 0) >= MIN_MULTILINE_CHARACTERS,
    ...(example === '' ? {} : { placeholder: example }),
  };
}

export function readBoolean({ name, schema, required }: FieldSource): BooleanFieldSpec {
  const { default: preset } = schema;
  const base = { ...fieldBase(name, schema, fieldGroup(name, required)), kind: 'boolean' } as const;
  if (typeof preset === 'boolean')
    return { ...base, default: preset, ...(isNullable(schema) ? { nullable: true } : {}) };
  return required ? { ...base, required: true } : { ...base, default: null, nullable: true };
}

/** The lower and upper bound. OpenAPI 3.0 has booleans for exclusive ones, 3.1 numbers. */
function readBounds(schema: Json) {
  const [minimum, maximum] = [finite(schema['minimum']), finite(schema['maximum'])];
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const [over, under] = [above === true ? minimum : finite(above), below === true ? maximum : finite(below)];
  const isOver = over !== null && (minimum === null || over >= minimum);
  const isUnder = under !== null && (maximum === null || under <= maximum);
  return { min: isOver ? over : minimum, isOver, max: isUnder ? under : maximum, isUnder };
}

export function readNumber(
  { name, schema, required }: FieldSource,
  kind: 'number' | 'integer',
): NumberFieldSpec | string {
  const { min, isOver, max, isUnder } = readBounds(schema);
  if (min !== null && max !== null && (min > max || (min === max && (isOver || isUnder))))
    return 'Its minimum is greater than its maximum.';
  const step = finite(schema['multipleOf']);
  const base = {
    ...fieldBase(name, schema, required ? 'shape' : fieldGroup(name, false)),
    kind,
    ...(kind === 'integer'
      ? wholeBounds(
          min === null ? null : isOver ? Math.floor(min) + 1 : Math.ceil(min),
          max === null ? null : isUnder ? Math.ceil(max) - 1 : Math.floor(max),
        )
      : {
          min,
          ...(isOver ? { exclusive_min: true as const } : {}),
          max,
          ...(isUnder ? { exclusive_max: true as const } : {}),
        }),
    ...(step !== null && step > 0 && step !== 1
      ? { multiple_of: step }
      : kind === 'number'
        ? { step: sliderStep(min, max) }
        : {}),
  } satisfies Partial<NumberFieldSpec>;
  const preset = finite(schema['default']);
  if (preset === null || !fits(preset, base)) return { ...base, ...presence(required) };
  return { ...base, default: preset, ...(isNullable(schema) ? { nullable: true } : {}) };
}

/** Seeds of 64 bits are cut to whole numbers that JavaScript can hold. */
const wholeBounds = (min: number | null, max: number | null) => ({
  min: min === null ? null : Math.max(min, Number.MIN_SAFE_INTEGER),
  max: max === null || max > Number.MAX_SAFE_INTEGER ? null : max,
});

/** Steps of a slider between two bounds. */
function sliderStep(min: number | null, max: number | null): number {
  const range = max === null ? 0 : max - (min ?? 0);
  if (range <= 0) return 0.1;
  return range <= 2 ? 0.01 : range <= 40 ? 0.1 : 1;
}

type Bounds = Pick<NumberFieldSpec, 'kind' | 'min' | 'max' | 'exclusive_min' | 'exclusive_max'>;
const fits = (value: number, { kind, min, max, exclusive_min, exclusive_max }: Bounds): boolean =>
  (kind === 'number' || Number.isSafeInteger(value)) &&
  (min === null || (exclusive_min ? value > min : value >= min)) &&
  (max === null || (exclusive_max ? value < max : value <= max));

/** @param own whether other texts are accepted too */
export function readChoice(
  { name, schema, required }: FieldSource,
  options: readonly unknown[],
  own: Json | null,
): ChoiceFieldSpec | string {
  if (options.length === 0) return 'It has no options.';
  if (options.length > SCHEMA_LIMITS.options) return `It has more than ${SCHEMA_LIMITS.options} options.`;
  const valid = options.filter(isOption);
  if (valid.length < options.length) return 'Its options are neither texts nor numbers, or too long.';
  const unique = [...new Set(valid)];
  if (new Set(unique.map(String)).size < unique.length) return 'It has options that read the same, such as "5" and 5.';
  // Forms write no value as an empty text.
  const named = unique.filter((option) => option !== '');
  const isEmptyOption = named.length < unique.length;
  if (named.length === 0) return 'Its only option is empty.';
  const { default: preset } = schema;
  const ownMaxLength = Math.min(
    count(own?.['maxLength']) ?? SCHEMA_LIMITS.option_characters,
    SCHEMA_LIMITS.text_characters,
  );
  // The JSON type of an option is the provider's: "5" is not 5.
  const chosen = named.find((option) => option === preset) ?? named.find((option) => String(option) === String(preset));
  const ownDefault =
    own && typeof preset === 'string' && preset !== '' && preset.length <= ownMaxLength ? preset : undefined;
  const selected = chosen ?? ownDefault;
  const labels = optionLabels(named, isEmptyOption ? 'Empty' : undefined);
  return {
    ...fieldBase(name, schema, required ? 'shape' : fieldGroup(name, false)),
    kind: 'choice',
    options: named,
    ...(own ? { own_max_length: Math.max(1, ownMaxLength) } : {}),
    ...(selected === undefined
      ? required && !isEmptyOption
        ? {}
        : { nullable: true, default: null }
      : { default: selected, ...(isNullable(schema) || isEmptyOption ? { nullable: true } : {}) }),
    ...(isRatioChoice(named) ? { control: 'ratio' } : {}),
    ...(labels ? { option_labels: labels } : {}),
  };
}

const isOption = (option: unknown): option is string | number =>
  typeof option === 'string' ? option.length <= SCHEMA_LIMITS.option_characters : finite(option) !== null;

const isRatioChoice = (options: readonly (string | number)[]): boolean =>
  options.length <= 16 && options.filter((option) => /^\d{1,3}:\d{1,3}$/.test(String(option))).length >= 2;

/** Labels for options such as `landscape_4_3`, and for hostile ones; undefined if none needs one. */
function optionLabels(
  options: readonly (string | number)[],
  empty: string | undefined,
): Record<string, string> | undefined {
  const labels = options.flatMap((option) => {
    const text = String(option);
    const clean = cleanText(text, 60);
    const label = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(clean) ? clean.replaceAll('_', ' ') : clean;
    return label === text ? [] : [[text, label] as const];
  });
  if (labels.length === 0 && empty === undefined) return undefined;
  return { ...Object.fromEntries(labels), ...(empty === undefined ? {} : { '': empty }) };
}
