import type { InputContract } from '#contract/task.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * What a parameter of another API means for a model: values of its fields; `{}` if it asks for what happens anyway; a
 * sentence that refuses it; undefined: this model does not support it.
 */
export type ParameterRule = (value: unknown, contract: InputContract) => Values | string | undefined;

export type ParameterRules = Readonly<Record<string, ParameterRule>>;

export const hasField = ({ fields }: InputContract, name: string): boolean =>
  fields.some((field) => field.name === name);

/** What clients send for parameters that nobody has set: nothing, an empty text, an empty list or object. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Accepts values that ask for what happens anyway, also as texts of a form. */
export const only =
  (refusal: string, ...values: readonly (string | number | boolean)[]): ParameterRule =>
  (value) =>
    values.some((each) => each === value || String(each) === value) ? {} : refusal;

/** How many results an order makes, in the words of other APIs. */
const COUNT_FIELDS = ['num_outputs', 'num_images', 'number_of_images', 'n'];

/** A number of results, of a model that counts them; of others it must be one. */
export const count =
  (refusal: string): ParameterRule =>
  (value, contract) =>
    firstOf(...COUNT_FIELDS)(value, contract) ?? only(refusal, 1)(value, contract);

/** The value is that of the first of these fields that the model has. */
export const firstOf =
  (...names: readonly string[]): ParameterRule =>
  (value, contract) => {
    const name = names.find((each) => hasField(contract, each));
    return name === undefined ? undefined : { [name]: value };
  };
