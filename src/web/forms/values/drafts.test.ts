import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { readDraft, writeDraft } from './drafts.ts';
import { initialValues } from './form-values.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';
import { signOut } from '#web/api/session/session.ts';

const contract = inputContract('image.create', 'imgmodel-a-2') ?? { fields: [], rules: [] };

it('keeps what was typed for each task and model apart', () => {
  writeDraft('image.create', 'imgmodel-a-2', { ...initialValues(contract), prompt: 'A lighthouse' });
  expect(readDraft('image.create', 'imgmodel-a-2', contract)).toMatchObject({ prompt: 'A lighthouse' });
  expect(readDraft('image.edit', 'imgmodel-a-2', contract)).toBeUndefined();
});

it('keeps the newest entries', () => {
  const map = createTabStorage<number>('test.newest', 2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  map.replace('b', 9);
  map.replace('a', 5);
  expect(map.values()).toEqual([5, 4]);
});

it('forgets everything on signing out', () => {
  writeDraft('image.create', 'imgmodel-a-2', initialValues(contract));
  signOut();
  expect(readDraft('image.create', 'imgmodel-a-2', contract)).toBeUndefined();
});
