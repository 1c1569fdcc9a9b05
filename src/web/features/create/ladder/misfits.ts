import type { Field, InputContract } from '#contract/task.ts';
import { countOf, optionLabel, valueWords } from '#web/forms/field-words.ts';
import { isNotable, referencesOf, type Values } from '#web/forms/input-values.ts';
import { isRatio, optionsOf, ratioOf } from '#web/forms/option-measure.ts';
import { brokenRules } from '#web/forms/rule-repair.ts';
import { fit, targetOf } from '#web/forms/switch-input.ts';
import { formatNumber, formatEither } from '#web/ui/formats.ts';

/** More options than this are not read out. */
const MOST_OPTIONS = 8;

type Bounds = { [K in Field['kind']]: (field: Extract<Field, { kind: K }>, value: unknown) => string };

function range(field: Extract<Field, { kind: 'number' | 'integer' }>, value: unknown): string {
  const yours = `, not ${valueWords(field, value)}`;
  const least = formatNumber(field.min);
  if (field.max === null) return `${field.label} is at least ${valueWords(field, field.min)}${yours}.`;
  return `${field.label} is ${least} to ${valueWords(field, field.max)}${yours}.`;
}

const onlyAsItIs = (field: Field) => `${field.label} can’t be given like this.`;

const bounds: Bounds = {
  text: onlyAsItIs,
  choice: (field, value) => {
    const options = optionsOf(field).map((option) => optionLabel(field, option as string | number | null));
    const given = optionLabel(field, value as string | number | null);
    return options.length > MOST_OPTIONS
      ? `${field.label} can’t be ${given}.`
      : `${field.label} is ${formatEither(options)}, not ${given}.`;
  },
  number: range,
  integer: range,
  boolean: onlyAsItIs,
  datetime: onlyAsItIs,
  reference: (field, value) =>
    `It takes one ${field.media === 'image' ? 'picture' : field.media}, not ${referencesOf(value).length}.`,
  references: (field, value) =>
    `It takes at most ${countOf(field.media, field.max_items)}, not ${referencesOf(value).length}.`,
};

function boundOf<F extends Field>(field: F, value: unknown): string {
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  return (bounds[field.kind] as (field: F, value: unknown) => string)(field, value);
}

/** One model takes a size where another takes a ratio: "1536 × 1024" is "3:2". */
const sameShape = (from: Field, to: Field, value: unknown, fitted: unknown) =>
  isRatio(from) && isRatio(to) && ratioOf(value) !== null && ratioOf(value) === ratioOf(fitted);

/**
 * Why another contract does not take what the person chose, a sentence each; empty where it does. What stands at its default
 * was not chosen, and may change.
 * @param values of a form of `from`
 */
export function misfits(from: InputContract, to: InputContract, values: Values): string[] {
  const taken = new Set(from.fields.map(({ name }) => name));
  const carried: Record<string, unknown> = {};
  const reasons: string[] = [];
  for (const source of from.fields) {
    const value = values[source.name];
    const target = targetOf(source, to, taken);
    const fitted = target ? fit(target, value) : null;
    if (!isNotable(source, value)) {
      if (target && fitted?.exact) carried[target.name] = value;
      continue;
    }
    if (!target) reasons.push(`It has no “${source.label}”.`);
    else if (!fitted || !(fitted.exact || sameShape(source, target, value, fitted.value)))
      reasons.push(boundOf(target, value));
    else carried[target.name] = fitted.value;
  }
  const chosen = new Set(Object.keys(carried));
  const broken = brokenRules(to, carried).filter(({ when, field }) => chosen.has(when.field) && chosen.has(field));
  return [...new Set([...reasons, ...broken.map(({ message }) => message)])];
}
