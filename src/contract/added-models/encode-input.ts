import { isJson, type Json, property } from '../json-value.ts';
import type { FieldSpec } from '../task.ts';
import type { NormalizedModel } from './fields/normalize-schema.ts';

/** The address that a provider reads a file from. @param path as in `InputReference` */
export type ReferenceAddress = (path: string, url: string) => string;

type Encodable = Pick<NormalizedModel, 'contract' | 'hidden' | 'advanced' | 'conversions' | 'sends_null'>;

/**
 * Converts an input to what the provider takes: constants added, files as addresses, what is not set left out.
 * @param input validated by `parseInput`, with defaults
 */
export function encodeInput(model: Encodable, input: Json, addressOf: ReferenceAddress): Record<string, unknown> {
  const advanced = model.advanced ? property(input, model.advanced.field) : null;
  const fields = model.contract.fields.filter(({ name }) => name !== model.advanced?.field);
  return { ...encodeFields(model, fields, input, '', '', addressOf), ...(isJson(advanced) ? advanced : {}) };
}

/** @param at dotted names of the schema, @param path of the input: rows add their position to it */
function encodeFields(
  model: Encodable,
  fields: readonly FieldSpec[],
  input: Json,
  at: string,
  path: string,
  addressOf: ReferenceAddress,
): Record<string, unknown> {
  const constants = Object.entries(model.hidden).flatMap(([name, value]) =>
    name.startsWith(at) && !name.slice(at.length).includes('.') ? [[name.slice(at.length), value] as const] : [],
  );
  const values = fields.flatMap((field) => {
    const value = encodeValue(model, field, property(input, field.name), at + field.name, path + field.name, addressOf);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries([...constants, ...values]);
}

function encodeValue(
  model: Encodable,
  field: FieldSpec,
  value: unknown,
  name: string,
  path: string,
  addressOf: ReferenceAddress,
): unknown {
  const conversion = Object.hasOwn(model.conversions, name) ? model.conversions[name] : undefined;
  if (value === undefined) return undefined;
  if (value === null) return conversion === 'empty_text' ? '' : model.sends_null.includes(name) ? null : undefined;
  const address = (item: unknown, itemPath: string) =>
    isJson(item) && typeof item['url'] === 'string' ? addressOf(itemPath, item['url']) : undefined;
  const nested = (item: unknown, itemPath: string) =>
    'fields' in field && isJson(item)
      ? encodeFields(model, field.fields, item, `${name}.`, `${itemPath}.`, addressOf)
      : item;
  if (field.kind === 'reference') return address(value, path);
  if (field.kind === 'group') return nested(value, path);
  if (value === '' && (conversion === 'number' || conversion === 'no_empty_text')) return undefined;
  if (Array.isArray(value)) {
    if (field.kind === 'references') return value.map((item, index) => address(item, `${path}.${index}`));
    if (field.kind === 'rows') return value.map((item, index) => nested(item, `${path}.${index}`));
    return conversion === 'number' ? value.map(toNumber) : value;
  }
  return conversion === 'number' ? toNumber(value) : value;
}

/** A text that is written as a number; other values stay. */
function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}
