import { expect, test } from 'vitest';
import { maskKey } from './mask-key.ts';

test('a key is shown by its kind and its last four characters', () => {
  expect(maskKey('mgs_org_AAAABBBBCCCCDDDDk3Qx')).toBe('mgs_org_••••••••k3Qx');
});

test('a short key shows nothing of its secret', () => {
  expect(maskKey('mgs_usr_abcdef')).toBe('mgs_usr_••••••••');
  expect(maskKey('secret')).toBe('••••••••');
});
