import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { EndpointSpec } from './api/endpoint.ts';
import { endpoints } from './api/endpoints.ts';
import { cleanName, line } from './one-line.ts';

/** None of these fits into a name of one line. */
const HOSTILE = [
  'a\nb',
  'a\rb',
  'a\tb',
  'a\0b',
  'a\u0085b',
  'a\u2028b',
  'a\u2029b',
  'a\u202eb',
  'a\u2066b',
  'a\u200fb',
  'a\u061cb',
  'a\ud800',
];

describe('line', () => {
  it.each([...HOSTILE, '', ' ', '\u200b\u200d', 'x'.repeat(11)])('refuses %j', (text) => {
    expect(z.safeParse(line(10), text).success).toBe(false);
  });

  it.each(['Ana', "O'Hara-Łuk", '李雷', 'أحمد', 'נועה', '👩‍🎨', 'क्‍ष', '%&'])('accepts %s', (text) => {
    expect(z.parse(line(10), ` ${text} `)).toBe(text);
  });

  it.each([...HOSTILE, 'x'.repeat(50), `${'x'.repeat(9)}😀`, '\u202e'.repeat(40) + 'Ana'])(
    'accepts %j when it is cleaned',
    (text) => {
      const name = cleanName(text, 10);
      expect(name === '' || z.parse(line(10), name) === name).toBe(true);
    },
  );
});

/** Fields that are called like names and are none, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'update_person.confirm_key': 'must equal the name of a key, which can be older than the rule',
  'rename_media.name': 'media-name.ts takes out what does not fit, as from names of files',
};
const NAME_LIKE = /(?:^|_)(?:name|names|label|labels|title|contact|key)$|^values$/;

interface Leaf {
  path: string;
  schema: z.core.$ZodType;
}

/** The strings that a schema accepts, with the names of their fields. */
function listTexts(schema: z.core.$ZodType, path: string, seen: readonly z.core.$ZodType[] = []): Leaf[] {
  if (seen.includes(schema)) return [];
  const into = (inner: z.core.$ZodType, at = path) => listTexts(inner, at, [...seen, schema]);
  // oxlint-disable-next-line no-underscore-dangle -- zod's way to read a schema
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return [{ path, schema }];
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => into(inner, `${path}.${name}`));
    case 'array':
      return into(def.element);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return into(def.innerType);
    case 'union':
      return def.options.flatMap((option) => into(option));
    case 'record':
      return into(def.valueType);
    case 'pipe':
      return [...into(def.in), ...into(def.out)];
    default:
      return [];
  }
}

const texts = Object.entries(endpoints as Record<string, EndpointSpec>).flatMap(([name, { body }]) =>
  body === undefined || typeof body === 'string' ? [] : listTexts(body, name),
);
const named = texts.filter(({ path }) => NAME_LIKE.test(path.split('.').at(-1) ?? ''));

describe('the contract', () => {
  it('has names of people, keys, collections and workflows among its texts', () => {
    const paths = named.map(({ path }) => path);
    for (const path of [
      'update_me.name',
      'create_api_key.name',
      'create_collection.name',
      'create_share.title',
      'set_tag.label',
      'create_workflow_starter.steps.name',
      'create_batch.name',
      'update_settings.organization_name',
    ])
      expect(paths).toContain(path);
  });

  it('takes each name as one line, without characters that change its direction', () => {
    const lenient = named.filter(({ schema }) => HOSTILE.some((text) => z.safeParse(schema, text).success));
    expect([...new Set(lenient.map(({ path }) => path))].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});
