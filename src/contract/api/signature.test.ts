import { expect, test } from 'vitest';
import { signWebhook, verifyWebhook } from './signature.ts';

const secret = 'whsec_test';
const at = new Date(1_700_000_000_000);
const body = '{"id":"evt_1","name":"Zoë"}';

test('the signature is the hex HMAC-SHA256 of time, period and body', async () => {
  // printf '1700000000.{"id":"evt_1","name":"Zoë"}' | openssl dgst -sha256 -hmac whsec_test
  const hex = 'a3846e249ccd287030648c16d6522287136380b85a8b6ae3725df9c27066276f';
  expect(await signWebhook({ secrets: [secret], body, at })).toBe(`t=1700000000,v1=${hex}`);
});

test.each([
  ['as it was sent', {}, null],
  ['as bytes', { body: new TextEncoder().encode(body) }, null],
  ['300 seconds old', { now: new Date(at.getTime() + 300_000) }, null],
  ['301 seconds old', { now: new Date(at.getTime() + 301_000) }, 'clock'],
  ['from 300 seconds ahead', { now: new Date(at.getTime() - 300_000) }, null],
  ['from 301 seconds ahead', { now: new Date(at.getTime() - 301_000) }, 'clock'],
  ['with another body', { body: `${body} ` }, 'signature'],
  ['with another secret', { secret: 'whsec_other' }, 'signature'],
  ['without a secret', { secret: '' }, 'header'],
] as const)('a delivery %s', async (_name, given, problem) => {
  const header = await signWebhook({ secrets: [secret], body, at });
  expect(await verifyWebhook({ secret, header, body, now: at, ...given })).toMatchObject({ problem });
});

test('reports whether the signature of an old delivery matches', async () => {
  const header = await signWebhook({ secrets: [secret], body, at });
  const now = new Date(at.getTime() + 3_600_000);
  const right = { problem: 'clock', age_seconds: 3600, signature_matches: true };
  expect(await verifyWebhook({ secret, header, body, now })).toEqual(right);
  const wrong = { problem: 'signature', age_seconds: 3600, signature_matches: false };
  expect(await verifyWebhook({ secret: 'x', header, body, now })).toEqual(wrong);
});

test('accepts either secret during a rotation', async () => {
  const header = await signWebhook({ secrets: ['whsec_new', 'whsec_old'], body, at });
  for (const secret of ['whsec_new', 'whsec_old']) {
    expect((await verifyWebhook({ secret, header, body, now: at })).problem).toBeNull();
  }
});

test.each(['', 't=1700000000', 'v1=00', `v1=${'0'.repeat(64)}`, `t=x,v1=${'0'.repeat(64)}`, 't=1,t=2,v1=00'])(
  'reports the header %j as unreadable',
  async (header) => {
    const unread = { problem: 'header', age_seconds: null, signature_matches: null };
    expect(await verifyWebhook({ secret, header, body, now: at })).toEqual(unread);
  },
);
