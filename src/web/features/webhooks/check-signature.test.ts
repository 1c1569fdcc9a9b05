import { expect, test } from 'vitest';
import { signWebhook } from '#contract/api/signature.ts';
import { checkSignature, isSignatureAccepted, type SignatureInput } from './check-signature.ts';

const secret = 'whsec_5b1f0c2d9e8a7b6c5d4e3f2a1b0c9d8e';
const payload = {
  id: 'evt_1',
  data: {
    object: {
      id: 'gen_1',
      usage: { amount_usd: '0.03' },
      output: { assets: [{ url: 'https://a.example/1?sig=new' }] },
    },
  },
};
const body = JSON.stringify(payload).replace('sig=new', 'sig=old');
const signed_at = new Date('2026-03-01T10:00:00.000Z');
const header = await signWebhook({ secrets: [secret], body, at: signed_at });
const secondsLater = (seconds: number) => new Date(signed_at.getTime() + seconds * 1000);

const check = (pasted: Partial<SignatureInput>, { seconds = 20, known = false } = {}) =>
  checkSignature({ body, header, secret, ...pasted }, { now: secondsLater(seconds), ...(known ? { payload } : {}) });

test('accepts a genuine delivery, also when it is signed with two secrets', async () => {
  expect(isSignatureAccepted(await check({}))).toBe(true);
  expect(isSignatureAccepted(await check({ header: `Service-Signature: ${header}` }))).toBe(true);
  const two = await signWebhook({ secrets: ['whsec_new', secret], body, at: signed_at });
  expect(isSignatureAccepted(await check({ header: two }))).toBe(true);
});

test('tells a wrong clock from a wrong signature', async () => {
  const old = await check({}, { seconds: 301 });
  expect(old.clock).toMatchObject({ state: 'bad', sentence: expect.stringContaining('5 minutes and 1 second ago') });
  expect([old.header.state, old.secret.state, old.body.state]).toEqual(['good', 'good', 'good']);
  const early = await check({}, { seconds: -400 });
  expect(early.clock.sentence).toContain('6 minutes and 40 seconds in the future');
  expect((await check({}, { seconds: 300 })).clock.state).toBe('good');
});

test.each([
  ['', 'Enter the value of'],
  ['v1=00', 'Missing t'],
  ['t=1767225600', 'Missing v1'],
  ['t=1767225600123,v1=00', 'milliseconds'],
  ['t=soon,v1=00', '“soon”'],
  ['t=1,t=2,v1=00', 'more than once'],
  ['t=1767225600,v1=abc123', '6 digits instead of 64'],
  ['t=1767225600,v1=K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=', 'not hexadecimal'],
  ['sha256=abc', 'Missing t (timestamp) and v1'],
])('explains the header “%s”', async (headerText, words) => {
  const verdict = await check({ header: headerText });
  expect(verdict.header.state).toBe('bad');
  expect(verdict.header.sentence).toContain(words);
});

test.each([
  [{ secret: ` ${secret} ` }, 'secret', 'spaces'],
  [{ secret: `"${secret}"` }, 'secret', 'quotation marks'],
  [{ secret: secret.slice('whsec_'.length) }, 'secret', 'whsec_ prefix'],
  [{ secret: 'mgs_org_abc' }, 'secret', 'an API key'],
  [{ secret: '' }, 'secret', 'Enter the signing secret'],
  [{ body: `${body}\n` }, 'body', 'line break was added'],
  [{ body: JSON.stringify(JSON.parse(body), null, 2) }, 'body', 'serialized again'],
  [{ body: '' }, 'body', 'Enter the request body'],
] as const)('names the mistake in %o', async (pasted, part, words) => {
  const verdict = await check(pasted);
  expect(verdict[part]).toMatchObject({ state: 'bad', sentence: expect.stringContaining(words) });
  expect(isSignatureAccepted(verdict)).toBe(false);
});

test('tells a changed body from a wrong secret only when the delivery is known', async () => {
  const tampered = body.replace('0.03', '9.99');
  const changed = await check({ body: tampered }, { known: true });
  expect(changed.secret.state).toBe('good');
  expect(changed.body.state).toBe('bad');
  expect(changed.body.sentence).toContain('data.object.usage.amount_usd was sent as "0.03", and is "9.99" here');
  const other = await check({ secret: 'whsec_of_another' }, { known: true });
  expect([other.secret.state, other.body.state]).toEqual(['bad', 'good']);
  const alone = await check({ body: tampered });
  expect([alone.secret.state, alone.body.state]).toEqual(['unknown', 'unknown']);
  expect(isSignatureAccepted(alone)).toBe(false);
});

test('shows only a prefix of the expected signature', async () => {
  const { body: finding } = await check({ body: '{}' });
  expect(finding.expected).toMatch(/v1=[0-9a-f]{12}…/);
  expect(finding.expected).not.toMatch(/[0-9a-f]{13}/);
});
