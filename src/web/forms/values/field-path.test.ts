import { expect, it } from 'vitest';
import type { InputContract } from '#contract/task.ts';
import { findField, isThere } from './field-path.ts';

const base = { label: 'A', group: 'main' } as const;
const image = { ...base, name: 'image', kind: 'reference', media: 'image', nullable: true, with_role: false } as const;
const contract: InputContract = {
  fields: [image, { ...base, name: 'rows', kind: 'rows', fields: [image], min_items: 0, max_items: 3 }],
  rules: [],
};

it('finds a field inside of rows by its name in the form', () => {
  expect(findField(contract, 'image')).toBe(image);
  expect(findField(contract, 'rows/0/image')).toBe(image);
  expect(findField(contract, 'rows/0/other')).toBeUndefined();
  expect(findField(contract, 'image/0/image')).toBeUndefined();
});

it('says whether the row of a field still exists', () => {
  expect(isThere({ image: null }, 'image')).toBe(true);
  expect(isThere({ rows: [{ image: null }] }, 'rows/0/image')).toBe(true);
  expect(isThere({ rows: [] }, 'rows/0/image')).toBe(false);
});
