import { expect, it } from 'vitest';
import { disambiguateNames } from './key-labels.ts';

it('adds the end of the id to the names that several keys share', () => {
  const keys = [
    { id: 'key_01k2v7wz5rj8c9m4n6p8q0s2t4', name: 'Ana Silva' },
    { id: 'key_01k2v7wz5rj8c9m4n6p8q0aaaa', name: 'CI' },
    { id: 'key_01k2v7wz5rj8c9m4n6p8q0s2t5', name: 'Ana Silva' },
    { id: undefined, name: 'All others' },
  ];
  expect(disambiguateNames(keys).map(({ name }) => name)).toEqual([
    'Ana Silva · …s2t4',
    'CI',
    'Ana Silva · …s2t5',
    'All others',
  ]);
});
