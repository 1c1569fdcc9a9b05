import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { email } from './primitives.ts';

it.each([
  '\u212Aate@example.com',
  'kate@\u212Ayoto.example',
  'd\u0131na@example.com',
  '\u0130na@example.com',
  'stra\u00dfe@example.com',
  '\uff4bate@example.com',
  'kate@example.\uff43om',
  'kate\uff20example.com',
  'k\u0430te@example.com',
  'kate\u200b@example.com',
  'ka\u0301te@example.com',
])('refuses the mail address %j, which a normalization could make another', (text) => {
  expect(z.safeParse(email(), text).success).toBe(false);
});

it('compares addresses in lower case, without the spaces around them', () => {
  expect(z.parse(email(), " Kate.O'Hara+x@Example.COM ")).toBe("kate.o'hara+x@example.com");
});
