import type { FieldSpec, InputContract } from '#contract/task.ts';
import { formatReferenceCount, optionLabel, formatFieldValue } from '#web/forms/format-field-value.ts';
import { isFilledIn, readReferences, type FormValues } from '#web/forms/form-values.ts';
import { isRatioField, choiceOptions, parseAspectRatio } from '#web/forms/compare-options.ts';
import { violatedRules } from '#web/forms/rule-repair.ts';
import { fitValue, findTargetField } from '#web/forms/switch-input.ts';
import { formatNumber, formatOrList } from '#web/ui/formats.ts';

/** More options than this are not read out. */
const MAX_LISTED_OPTIONS = 8;

type LimitDescriptions = {
  [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>, value: unknown) => string;
};

function describeRange(field: Extract<FieldSpec, { kind: 'number' | 'integer' }>, value: unknown): string {
  const yours = `, not ${formatFieldValue(field, value)}`;
  const least = formatNumber(field.min);
  if (field.max === null) return `${field.label} is at least ${formatFieldValue(field, field.min)}${yours}.`;
  return `${field.label} is ${least} to ${formatFieldValue(field, field.max)}${yours}.`;
}

const describeUnsupportedValue = (field: FieldSpec) => `${field.label} can’t be given like this.`;

const describeLimitByKind: LimitDescriptions = {
  text: describeUnsupportedValue,
  choice: (field, value) => {
    const options = choiceOptions(field).map((option) => optionLabel(field, option as string | number | null));
    const given = optionLabel(field, value as string | number | null);
    return options.length > MAX_LISTED_OPTIONS
      ? `${field.label} can’t be ${given}.`
      : `${field.label} is ${formatOrList(options)}, not ${given}.`;
  },
  number: describeRange,
  integer: describeRange,
  boolean: describeUnsupportedValue,
  datetime: describeUnsupportedValue,
  reference: (field, value) =>
    `It takes one ${field.media === 'image' ? 'picture' : field.media}, not ${readReferences(value).length}.`,
  references: (field, value) =>
    `It takes at most ${formatReferenceCount(field.media, field.max_items)}, not ${readReferences(value).length}.`,
};

function describeLimit<F extends FieldSpec>(field: F, value: unknown): string {
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  return (describeLimitByKind[field.kind] as (field: F, value: unknown) => string)(field, value);
}

/** One model takes a size where another takes a ratio: "1536 × 1024" is "3:2". */
const isSameAspectRatio = (from: FieldSpec, to: FieldSpec, value: unknown, fitted: unknown) =>
  isRatioField(from) &&
  isRatioField(to) &&
  parseAspectRatio(value) !== null &&
  parseAspectRatio(value) === parseAspectRatio(fitted);

/**
 * Why another contract does not take what the person chose, a sentence each; empty where it does. What stands at its default
 * was not chosen, and may change.
 * @param values of a form of `from`
 */
export function findIncompatibilities(from: InputContract, to: InputContract, values: FormValues): string[] {
  const taken = new Set(from.fields.map(({ name }) => name));
  const carried: Record<string, unknown> = {};
  const reasons: string[] = [];
  for (const source of from.fields) {
    const value = values[source.name];
    const target = findTargetField(source, to, taken);
    const fitted = target ? fitValue(target, value) : null;
    if (!isFilledIn(source, value)) {
      if (target && fitted?.exact) carried[target.name] = value;
      continue;
    }
    if (!target) reasons.push(`It has no “${source.label}”.`);
    else if (!fitted || !(fitted.exact || isSameAspectRatio(source, target, value, fitted.value)))
      reasons.push(describeLimit(target, value));
    else carried[target.name] = fitted.value;
  }
  const chosen = new Set(Object.keys(carried));
  const broken = violatedRules(to, carried).filter(({ when, field }) => chosen.has(when.field) && chosen.has(field));
  return [...new Set([...reasons, ...broken.map(({ message }) => message)])];
}
