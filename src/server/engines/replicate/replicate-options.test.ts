import { expect, test } from 'vitest';
import { replicateOptions } from './replicate-options.ts';

const version = 'a'.repeat(64);
const takes = (model: string): boolean => replicateOptions.safeParse({ model, request: '{}' }).success;

test.each(['black-forest-labs/flux-1.1-pro', `acme/painter:${version}`, version])('%s names a model', (model) => {
  expect(takes(model)).toBe(true);
});

test.each(['painter', 'acme/painter:latest', 'acme/painter/x', 'https://replicate.com/acme/painter', ''])(
  '%j names none',
  (model) => expect(takes(model)).toBe(false),
);
