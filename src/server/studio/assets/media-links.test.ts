import { expect, it } from 'vitest';
import { readConfig } from '#server/platform/core/settings/config.ts';
import {
  verifyMediaLink,
  createMediaLink,
  createSidecarLink,
  parseLocalMediaUrl,
  verifySidecarLink,
} from './media-links.ts';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';

const ID = 'ast_01m7y6v0gyeg6ksk7hyezzk3qs';
const OTHER = 'upl_01m7y6v0gyeg6ksk7hyezzk3qv';
const HOUR_MS = 3_600_000;

function at(start = '2026-03-01T10:15:00.000Z') {
  return {
    config: readConfig({ PUBLIC_URL: 'https://studio.example.com' }),
    clock: createTestClock(new Date(start)),
    secrets: createSecrets('a secret of the tests'),
  };
}
const partsOf = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  return {
    id: pathname.split('/').at(-1) ?? '',
    expires: searchParams.get('expires') ?? '',
    sig: searchParams.get('sig') ?? '',
  };
};

it('expires no earlier than the TTL and not much later', () => {
  const deps = at();
  const { url, expires_at } = createMediaLink(deps, ID);
  const leftMs = Date.parse(expires_at) - deps.clock.now().getTime();
  expect(leftMs).toBeGreaterThanOrEqual(24 * HOUR_MS);
  expect(leftMs).toBeLessThanOrEqual(25 * HOUR_MS);
  expect(url.startsWith(`https://studio.example.com/media/${ID}?`)).toBe(true);
});

it('returns the same link within an hour', () => {
  const deps = at();
  const first = createMediaLink(deps, ID);
  deps.clock.advance(44 * 60_000);
  expect(createMediaLink(deps, ID)).toEqual(first);
  deps.clock.advance(2 * 60_000);
  expect(createMediaLink(deps, ID)).not.toEqual(first);
});

it('is valid until it expires', () => {
  const deps = at();
  const parts = partsOf(createMediaLink(deps, ID).url);
  expect(verifyMediaLink(deps, parts)).toBe(true);
  deps.clock.advance(25 * HOUR_MS);
  expect(verifyMediaLink(deps, parts)).toBe(false);
});

it.each([
  ['another medium', { id: OTHER }],
  ['a later end', { expires: '9999999999' }],
  ['no signature', { sig: '' }],
  ['a cut signature', { sig: 'abc' }],
  ['an end that is no number', { expires: '1e12' }],
  ['an id that is none', { id: '../secret.key' }],
])('rejects a link with %s', (_, changed) => {
  const deps = at();
  expect(verifyMediaLink(deps, { ...partsOf(createMediaLink(deps, ID).url), ...changed })).toBe(false);
});

it('signs the link to a manifest apart from that to its file', () => {
  const deps = at();
  const { url } = createSidecarLink(deps, ID, { expiresSeconds: Date.parse('2026-03-01T11:00:00Z') / 1000 });
  expect(url.startsWith(`https://studio.example.com/media/${ID}.c2pa?expires=`)).toBe(true);
  const sidecar = { ...partsOf(url), id: ID };
  expect([verifySidecarLink(deps, sidecar), verifyMediaLink(deps, sidecar)]).toEqual([true, false]);
  const media = partsOf(createMediaLink(deps, ID).url);
  expect([verifySidecarLink(deps, media), verifyMediaLink(deps, { ...sidecar, id: `${ID}.c2pa` })]).toEqual([
    false,
    false,
  ]);
  expect(parseLocalMediaUrl(deps, url)).toBeNull();
  deps.clock.advance(HOUR_MS);
  expect(verifySidecarLink(deps, sidecar)).toBe(false);
});

it('rejects a link signed with another secret', () => {
  const deps = at();
  const other = { ...deps, secrets: createSecrets('another secret of the tests') };
  expect(verifyMediaLink(other, partsOf(createMediaLink(deps, ID).url))).toBe(false);
});

it('identifies its medium as a reference even after it has expired', () => {
  const deps = at();
  const { url } = createMediaLink(deps, ID);
  expect(parseLocalMediaUrl(deps, url)).toEqual({ id: ID, signed: true });
  deps.clock.advance(48 * HOUR_MS);
  expect(parseLocalMediaUrl(deps, url)).toEqual({ id: ID, signed: false });
  expect(parseLocalMediaUrl(deps, `https://studio.example.com/media/${ID}`)).toEqual({ id: ID, signed: false });
});

it.each([
  `https://elsewhere.example/media/${ID}`,
  `http://studio.example.com/media/${ID}`,
  `https://studio.example.com:8443/media/${ID}`,
  `https://studio.example.com/media/${ID}/more`,
  'https://studio.example.com/media/gen_01m7y6v0gyeg6ksk7hyezzk3qs',
  'https://studio.example.com/v1/me',
  'no address',
])('is not recognized as a local media URL: %s', (url) => {
  expect(parseLocalMediaUrl(at(), url)).toBeNull();
});
