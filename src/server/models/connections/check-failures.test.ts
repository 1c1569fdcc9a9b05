import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pino } from 'pino';
import { PRESETS } from '#server/models/providers/presets.ts';
import {
  type Fault,
  type FakeUpstreamServer,
  neverRespond,
  respondWith,
  startFakeUpstream,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFetcher, type FetcherOptions } from '#server/platform/net/fetcher.ts';
import { checkProvider } from './check-provider.ts';

const KEY = 'sk-test-0123456789abcdef';
/** Some providers write their names in lower case. */
const SENTENCE = /^[A-Za-z“].*[.!?…]$/s;
const log = pino({ level: 'silent' });

let upstream: FakeUpstreamServer;
let fault: Fault;
let requestCount = 0;

beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, () => (request, response) => {
    requestCount += 1;
    fault(request, response, () => undefined);
  });
});
afterAll(() => upstream.close());

const local = createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] });
const check = (preset: (typeof PRESETS)[number], fetcher = local, address = upstream.base_url) => {
  const api_key = preset.key === 'none' ? null : KEY;
  return checkProvider({ fetcher, log }, preset, { address, api_key }, new AbortController().signal);
};

describe.each(PRESETS.map((preset) => [preset.name, preset] as const))('the check of %s', (_name, preset) => {
  const faults: [string, Fault][] = [
    ['an HTML page', respondWith(200, `<html>${KEY}</html>`, { 'content-type': 'text/html' })],
    ['JSON of another shape', respondWith(200, '[null]', { 'content-type': 'application/json' })],
    ['nothing', respondWith(200, '')],
    ['500', respondWith(500, `Error with ${KEY}`)],
    ['503 with HTML', respondWith(503, `<html>${KEY}</html>`)],
    ['429', respondWith(429, '{}', { 'retry-after': '5' })],
    ['401 that repeats the key', respondWith(401, JSON.stringify({ error: { message: `Who is ${KEY}?` } }))],
    ['404', respondWith(404, '{"detail":"Not Found"}')],
    ['a redirect', respondWith(302, '', { location: 'https://elsewhere.example/' })],
    ['a closed connection', (_request, response) => void response.destroy()],
    [
      'half a response',
      (_request, response) => void response.write('{"data":[', () => setTimeout(() => response.destroy(), 10)),
    ],
  ];
  it.each(faults)('is a sentence without the key for %s', async (_fault, next) => {
    fault = next;
    const { ok, message } = await check(preset);
    expect([ok, message]).toEqual([false, expect.stringMatching(SENTENCE)]);
    expect(message).not.toContain(KEY);
    expect(message.length).toBeLessThan(600);
  });

  if (preset.key !== 'none')
    it('says that a key is not valid', async () => {
      fault = respondWith(401, '{"error":{"message":"No such user"}}', { 'content-type': 'application/json' });
      expect((await check(preset)).message).toMatch(/^This key is not valid\./);
    });

  it.each([
    ['hangs', neverRespond(() => undefined)],
    ['sends its response byte by byte', trickle],
  ] satisfies [string, Fault][])('ends in time when the server %s', async (_fault, next) => {
    const { timeout } = AbortSignal;
    const spy = vi.spyOn(AbortSignal, 'timeout');
    spy.mockImplementation((ms) => timeout.call(AbortSignal, ms === 15_000 ? 300 : ms));
    fault = next;
    const { ok, message } = await check(preset);
    spy.mockRestore();
    expect([ok, message]).toEqual([false, expect.stringContaining('did not respond within 15 seconds. Try again.')]);
  });

  it.each([
    'http://localhost',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0.0.0.0',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://a.invalid:99999',
  ])('sends nothing to %s', async (host) => {
    const before = requestCount;
    const { port } = new URL(upstream.base_url);
    const { ok, message } = await check(preset, createFetcher(), host.includes('invalid') ? host : `${host}:${port}`);
    expect([ok, message]).toEqual([false, expect.stringMatching(SENTENCE)]);
    expect(requestCount).toBe(before);
  });

  it.each<[string, string[]]>([
    ['a private address', ['127.0.0.1']],
    ['a private address beside a public one', ['93.184.216.34', '127.0.0.1']],
  ])('sends nothing to a name with %s', async (_case, addresses) => {
    const resolver: FetcherOptions['resolver'] = async () => addresses.map((address) => ({ address, family: 4 }));
    const before = requestCount;
    const { port } = new URL(upstream.base_url);
    const { ok, message } = await check(preset, createFetcher({ resolver }), `http://provider.example:${port}`);
    expect([ok, message]).toEqual([false, expect.stringContaining('private or local network')]);
    expect(requestCount).toBe(before);
  });

  it('ends when the caller has gone', async () => {
    const caller = new AbortController();
    fault = neverRespond(() => caller.abort(new Error('gone')));
    const api_key = preset.key === 'none' ? null : KEY;
    const connection = { address: upstream.base_url, api_key };
    await expect(checkProvider({ fetcher: local, log }, preset, connection, caller.signal)).rejects.toThrow('gone');
  });
});

function trickle(...[, response]: Parameters<Fault>): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}
