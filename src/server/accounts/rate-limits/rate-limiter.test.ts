import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '#server/http/create-app.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { type TestService, createTestService } from '#server/app/testing/test-service.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { purgeCounts } from './shared-counts.ts';

const postgres = await sharedPostgres();
const MINUTE = { window_seconds: 60 };

describe.skipIf(!postgres)('Two processes with one PostgreSQL (needs PostgreSQL)', () => {
  let service: TestService;
  let other: Awaited<ReturnType<typeof createApp>>;
  beforeAll(async () => {
    const databaseUrl = (await postgres?.createDatabase()) ?? null;
    const config = { databaseUrl, rateLimitPerMinute: 20, publicRateLimitPerMinute: 10 };
    service = await createTestService({ databaseUrl, config });
    other = await createApp(service.deps);
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });
  const createPair = (name: string, points: number, is_exact: boolean) =>
    [1, 2].map(() => createRateLimiter(service.deps, { name, points, is_exact, ...MINUTE })) as [
      ReturnType<typeof createRateLimiter>,
      ReturnType<typeof createRateLimiter>,
    ];

  it('count requests of a key together', async () => {
    const headers = { authorization: `Bearer ${service.keys.member}` };
    const statusAt = async (app: typeof other) => (await app.inject({ url: '/v1/me', headers })).statusCode;
    for (let count = 0; count < 20; count += 1) expect(await statusAt(service.app)).toBe(200);
    const statuses: number[] = [];
    await expect
      .poll(
        async () => {
          statuses.push(await statusAt(other));
          return statuses.at(-1);
        },
        { interval: 100 },
      )
      .toBe(429);
    expect(statuses.length).toBeLessThan(20);
    expect((await other.inject({ url: '/v1/me', headers })).headers['retry-after']).toMatch(/^\d+$/);
    const another = { authorization: `Bearer ${service.keys.organization}` };
    expect((await other.inject({ url: '/v1/me', headers: another })).statusCode).toBe(200);
  });

  it('count exactly where each use matters', async () => {
    const [first, second] = createPair('exact', 6, true);
    const results: (number | null)[] = [];
    for (let count = 0; count < 4; count += 1)
      results.push(...(await Promise.all([first.consume('a'), second.consume('a')])));
    expect(results.filter((blockedMs) => blockedMs === null)).toHaveLength(6);
    const [third] = createPair('exact', 6, true);
    expect(await third.blockedMs('a')).toBeGreaterThan(0);
    expect(await third.blockedMs('b')).toBeNull();
  });

  it('send a few statements for many requests', async () => {
    const [limiter] = createPair('hot', 1_000, false);
    const execute = vi.spyOn(service.deps.db, 'execute');
    for (let count = 0; count < 500; count += 1) await limiter.consume(`key ${count % 50}`);
    await expect.poll(() => execute.mock.calls.length).toBeGreaterThan(0);
    // Other limits may exchange theirs at the same time.
    expect(execute.mock.calls.length).toBeLessThan(10);
    execute.mockRestore();
  });

  it.each([true, false])('keep their own limits without the database (exact: %s)', async (is_exact) => {
    const [limiter] = createPair(`alone ${is_exact}`, 3, is_exact);
    const execute = vi.spyOn(service.deps.db, 'execute').mockRejectedValue(new Error('Connection terminated'));
    const used = [await limiter.consume('a'), await limiter.consume('a'), await limiter.consume('a')];
    expect(used).toEqual([null, null, null]);
    expect(await limiter.consume('a')).toBeGreaterThan(0);
    expect(await limiter.consume('b')).toBeNull();
    execute.mockRestore();
    // What was counted meanwhile reaches the others.
    const learns = createPair(`alone ${is_exact}`, 3, true)[0];
    await expect.poll(() => learns.blockedMs('a')).toBeGreaterThan(0);
  });

  it('answer within a second when the database hangs', async () => {
    const [limiter] = createPair('hanging', 1, true);
    const execute = vi.spyOn(service.deps.db, 'execute').mockReturnValue(new Promise(() => undefined) as never);
    expect(await limiter.consume('a')).toBeNull();
    expect(await limiter.consume('a')).toBeGreaterThan(0);
    execute.mockRestore();
  });

  it('delete counts of windows that have ended', async () => {
    const brief = createRateLimiter(service.deps, { name: 'brief', points: 1, window_seconds: 1, is_exact: true });
    await brief.consume('a');
    const isCounted = async () => {
      await purgeCounts(service.deps.db);
      const { rows } = (await service.deps.db.execute(`select 1 from rate_limits where key = 'brief:a'`)) as {
        rows: unknown[];
      };
      return rows.length > 0;
    };
    await expect.poll(isCounted).toBe(false);
    // The clock of this process may end the window a little later.
    await expect.poll(() => brief.consume('a')).toBeNull();
  });
});
