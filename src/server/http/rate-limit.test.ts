import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    config: { rateLimitPerMinute: 5, publicRateLimitPerMinute: 4, trustProxy: 1 },
  });
});
afterAll(() => service.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const repeat = async <T>(times: number, call: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await call());
  return answers;
};
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

describe('429', () => {
  it('is returned beyond the limit of a key, with whole seconds in Retry-After; other keys are unaffected', async () => {
    const answers = await repeat(6, () => service.request('get_me'));
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await service.callError('get_me');
    expect(refused.error.code).toBe('rate_limit_exceeded');
    expect(String(refused.headers['retry-after'])).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect((await service.call('get_me', { key: service.keys.member })).status).toBe(200);
  });

  it('is returned before the body is read', async () => {
    expect((await service.callError('create_generation', { body: {} })).status).toBe(429);
  });

  it('is returned beyond the limit of an address without a key; other addresses are unaffected', async () => {
    const call = () => service.request('list_tasks', { key: null, headers: from('198.51.100.1') });
    expect(statuses(await repeat(6, call))).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await service.call('list_tasks', { key: null, headers: from('198.51.100.2') })).status).toBe(200);
  });

  it('is returned after too many wrong keys from an address, while a valid key from there still works', async () => {
    const headers = from('198.51.100.3');
    const guess = () => service.request('get_me', { key: 'mgs_org_guess', headers });
    expect(statuses(await repeat(6, guess))).toEqual([401, 401, 401, 401, 429, 429]);
    const { key } = await service.addOrganization();
    service.deps.clock.advance(1_000);
    expect((await service.call('get_me', { key, headers })).status).toBe(200);
  });

  it('needs no lookup of the key', async () => {
    const headers = from('198.51.100.4');
    const guess = () => service.request('get_me', { key: `mgs_org_guess_${Math.random()}`, headers });
    await repeat(5, guess);
    const select = vi.spyOn(service.deps.db, 'select');
    expect(statuses(await repeat(5, guess))).toEqual([429, 429, 429, 429, 429]);
    expect(select).not.toHaveBeenCalled();
    select.mockRestore();
  });

  it.each(['/openapi.json', '/readyz'])('is returned after too many requests for %s', async (url) => {
    const headers = from('198.51.100.5');
    const call = async () => ({ status: (await service.app.inject({ url, headers })).statusCode });
    expect(statuses(await repeat(5, call))).toEqual([200, 200, 200, 200, 429]);
  });

  it('counts an IPv6 /64 as one address', async () => {
    let host = 0;
    const call = () => service.request('list_tasks', { key: null, headers: from(`2001:db8:1:2::${(host += 1)}`) });
    expect(statuses(await repeat(5, call))).toEqual([200, 200, 200, 200, 429]);
    expect((await service.call('list_tasks', { key: null, headers: from('2001:db8:1:3::1') })).status).toBe(200);
  });
});

it('trusts only the configured number of proxies', async () => {
  const call = (client: string) =>
    service.request('list_tasks', { key: null, headers: { 'x-forwarded-for': `${client}, 198.51.100.9` } });
  let client = 0;
  expect(statuses(await repeat(5, () => call(`203.0.113.${(client += 1)}`)))).toEqual([200, 200, 200, 200, 429]);
});

it('runs the health checks at most once a second', async () => {
  const check = vi.spyOn(service.deps.storage, 'check');
  const ask = () => service.app.inject({ url: '/readyz', headers: from('198.51.100.10') });
  service.deps.clock.advance(1_000);
  await Promise.all([ask(), ask()]);
  await ask();
  expect(check).toHaveBeenCalledTimes(1);
  service.deps.clock.advance(1_000);
  await ask();
  expect(check).toHaveBeenCalledTimes(2);
  check.mockRestore();
});
