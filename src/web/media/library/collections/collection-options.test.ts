import { describe, expect, it } from 'vitest';
import type { Collection } from '#contract/resources/collection.ts';
import { listCollectionOptions } from './collection-options.ts';

const collections = ['Café ads', 'Summer', 'Summer drafts'].map((name) => ({ id: name, name }) as Collection);
const optionsFor = (text: string) =>
  listCollectionOptions(collections, text).map((option) =>
    option.kind === 'create' ? `+ ${option.name}` : option.collection.name,
  );

describe('listCollectionOptions', () => {
  it('lists all collections without a text', () => {
    expect(optionsFor('  ')).toEqual(['Café ads', 'Summer', 'Summer drafts']);
  });

  it('finds parts of names in any case, with and without accents', () => {
    expect(optionsFor('CAFE')).toEqual(['Café ads', '+ CAFE']);
    expect(optionsFor('drafts')).toEqual(['Summer drafts', '+ drafts']);
  });

  it('offers no second collection of the same name', () => {
    expect(optionsFor(' summer ')).toEqual(['Summer', 'Summer drafts']);
    expect(optionsFor('Winter')).toEqual(['+ Winter']);
  });
});
