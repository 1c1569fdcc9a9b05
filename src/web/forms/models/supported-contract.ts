import { type FieldSpec, type InputContract, isUnconditional, type Rule, type Scalar } from '#contract/task.ts';

/** Rules of a field that hold for every input, such as the options that a provider does not support. */
export const unconditionalRules = (contract: InputContract, name: string): Rule[] =>
  contract.rules.filter((rule) => rule.field === name && isUnconditional(contract, rule));

const supported = new WeakMap<InputContract, InputContract>();

/** A contract without the fields and options that no input can use, for texts about what a model accepts. */
export function supportedContract(contract: InputContract): InputContract {
  if (!contract.rules.some((rule) => isUnconditional(contract, rule))) return contract;
  const cached = supported.get(contract);
  if (cached) return cached;
  const narrowed = {
    ...contract,
    fields: contract.fields.flatMap((field) => narrowField(field, unconditionalRules(contract, field.name))),
  };
  supported.set(contract, narrowed);
  return narrowed;
}

function narrowField(field: FieldSpec, rules: readonly Rule[]): FieldSpec[] {
  const allows = (value: Scalar) => rules.every((rule) => !('allow' in rule) || rule.allow.includes(value));
  const maxItems = Math.min(...rules.map((rule) => ('max_items' in rule ? rule.max_items : Number.POSITIVE_INFINITY)));
  if (field.kind === 'choice') return [{ ...field, options: field.options.filter(allows) }];
  if (field.kind === 'references') {
    return maxItems === 0 ? [] : [{ ...field, max_items: Math.min(field.max_items, maxItems) }];
  }
  // Other fields can only be restricted to one value.
  return rules.length > 0 && field.kind !== 'boolean' ? [] : [field];
}
