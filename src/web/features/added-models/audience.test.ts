import { expect, it } from 'vitest';
import type { ModelAudience } from '#contract/resources/added-model.ts';
import { describeAudience, toAudience, toAudienceValues } from './audience.ts';

it.each<[string, ModelAudience]>([
  ['Everybody', { roles: null, tags: null }],
  ['Administrator and Member only', { roles: ['administrator', 'member'], tags: null }],
  ['Everybody, with client = Aurora', { roles: null, tags: { client: 'Aurora' } }],
  [
    'Auditor only, with client = Aurora and project = X',
    { roles: ['auditor'], tags: { client: 'Aurora', project: 'X' } },
  ],
])('describes and reads back: %s', (text, audience) => {
  expect(describeAudience(audience)).toBe(text);
  expect(toAudience(toAudienceValues(audience))).toEqual(audience);
});

it('counts all roles as everybody, and no role as nobody', () => {
  const values = toAudienceValues({ roles: ['viewer'], tags: null });
  expect(toAudience({ ...values, roles: ['viewer', 'member', 'auditor', 'administrator'] })?.roles).toBeNull();
  expect(toAudience({ ...values, roles: [] })).toBeNull();
});

it('leaves out tags without a value', () => {
  const values = { isLimited: true, roles: ['member'] as const, tags: [{ name: 'client', value: '  ' }] };
  expect(toAudience(values)).toEqual({ roles: ['member'], tags: null });
});
