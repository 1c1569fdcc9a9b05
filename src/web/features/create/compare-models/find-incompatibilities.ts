import {
  type FieldSpec,
  type InputContract,
  type ListFieldSpec,
  type RowsFieldSpec,
  satisfiesRule,
} from '#contract/task.ts';
import { formatReferenceCount, optionLabel, formatFieldValue } from '#web/forms/values/format-field-value.ts';
import { isFilledIn, readReferences, type FormValues } from '#web/forms/values/form-values.ts';
import { isRatioField, choiceOptions, parseAspectRatio } from '#web/forms/models/compare-options.ts';
import { violatedRules } from '#web/forms/values/rule-repair.ts';
import { unconditionalRules } from '#web/forms/models/supported-contract.ts';
import { fitValue, findTargetField } from '#web/forms/models/switch-input.ts';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';
import { formatNumber, formatOrList } from '#web/ui/formats.ts';

const MAX_LISTED_OPTIONS = 8;

type LimitDescriptions = {
  [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>, value: unknown) => string;
};

function describeRange(field: Extract<FieldSpec, { kind: 'number' | 'integer' }>, value: unknown): string {
  const actual = `, not ${formatFieldValue(field, value)}`;
  if (field.min === null) return `${field.label} is at most ${formatFieldValue(field, field.max)}${actual}.`;
  if (field.max === null) return `${field.label} is at least ${formatFieldValue(field, field.min)}${actual}.`;
  return `${field.label} is ${formatNumber(field.min)} to ${formatFieldValue(field, field.max)}${actual}.`;
}

const describeUnsupportedValue = (field: FieldSpec) => `${field.label} doesn’t accept this value.`;

const describeTooMany = ({ label, max_items }: RowsFieldSpec | ListFieldSpec) =>
  `${label} can have at most ${max_items}.`;

const describeLimitByKind: LimitDescriptions = {
  text: describeUnsupportedValue,
  choice: (field, value) => {
    const options = choiceOptions(field).map((option) => optionLabel(field, option as string | number | null));
    const selected = optionLabel(field, value as string | number | null);
    return options.length > MAX_LISTED_OPTIONS
      ? `${field.label} can’t be ${selected}.`
      : `${field.label} is ${formatOrList(options)}, not ${selected}.`;
  },
  number: describeRange,
  integer: describeRange,
  boolean: describeUnsupportedValue,
  datetime: describeUnsupportedValue,
  size: describeUnsupportedValue,
  group: describeUnsupportedValue,
  rows: describeTooMany,
  list: describeTooMany,
  json: describeUnsupportedValue,
  reference: (field, value) => `Accepts one ${MEDIA_NOUNS[field.media][0]}, not ${readReferences(value).length}.`,
  references: (field, value) =>
    `Accepts at most ${formatReferenceCount(field.media, field.max_items)}, not ${readReferences(value).length}.`,
};

function describeLimit<F extends FieldSpec>(field: F, value: unknown): string {
  // The table is exhaustive by type; the compiler cannot connect a key to its entry inside a generic function.
  return (describeLimitByKind[field.kind] as (field: F, value: unknown) => string)(field, value);
}

/** Some models take a size instead of a ratio: "1536 × 1024" is "3:2". */
const isSameAspectRatio = (from: FieldSpec, to: FieldSpec, value: unknown, fitted: unknown) =>
  isRatioField(from) &&
  isRatioField(to) &&
  parseAspectRatio(value) !== null &&
  parseAspectRatio(value) === parseAspectRatio(fitted);

/**
 * Returns why another contract does not accept the values, a sentence each; empty if it does. Values at their default may
 * change, so they are ignored.
 */
export function findIncompatibilities(from: InputContract, to: InputContract, values: FormValues): string[] {
  const sourceNames = new Set(from.fields.map(({ name }) => name));
  const accepted: Record<string, unknown> = {};
  const reasons: string[] = [];
  for (const source of from.fields) {
    const value = values[source.name];
    const target = findTargetField(source, to, sourceNames);
    const fitted = target ? fitValue(target, value) : null;
    if (!isFilledIn(source, value)) {
      const rules = target ? unconditionalRules(to, target.name) : [];
      const canStay = rules.every((rule) => satisfiesRule(rule, { ...values, [rule.field]: value }));
      if (target && fitted?.exact && canStay) accepted[target.name] = value;
      continue;
    }
    if (!target) reasons.push(`No “${source.label}” field.`);
    else if (!fitted || !(fitted.exact || isSameAspectRatio(source, target, value, fitted.value)))
      reasons.push(describeLimit(target, value));
    else accepted[target.name] = fitted.value;
  }
  const violated = violatedRules(to, accepted).filter(({ when, field }) => when.field in accepted && field in accepted);
  return [...new Set([...reasons, ...violated.map(({ message }) => message)])];
}
