import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

test.each(['/create', '/generations/gen_1?status=failed#output', '/billing?from=2026-01-01'])(
  'returns to %s',
  (path) => {
    expect(returnPath(path)).toBe(path);
  },
);

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/create',
  'javascript:alert(1)',
  '/\t/evil.example',
  'create',
  '/sign-in?from=/sign-in',
  '',
  undefined,
  7,
])('rejects %j', (path) => {
  expect(returnPath(path)).toBe('/');
});
