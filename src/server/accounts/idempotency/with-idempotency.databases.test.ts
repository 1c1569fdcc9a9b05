import { describe, expect, it } from 'vitest';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { requestFingerprint } from './idempotent-request.ts';
import {
  type IdempotentRequest,
  findLastStoredResponse,
  findStoredResponse,
  withIdempotency,
  purgeStoredResponses,
} from './with-idempotency.ts';

describe('fingerprint', () => {
  const of = (body: unknown) => requestFingerprint('POST', '/v1/generations', body);

  it('ignores the order of properties at any depth', () => {
    expect(of({ a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } })).toBe(
      of({ b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 }),
    );
  });

  it('differs for every other difference', () => {
    const bodies = [
      {},
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: null },
      { a: { b: 1 } },
      undefined,
    ];
    expect(new Set(bodies.map(of))).toHaveLength(bodies.length);
    expect(requestFingerprint('POST', '/a', {})).not.toBe(requestFingerprint('POST', '/b', {}));
  });
});

describeOnBothDatabases(
  'withIdempotency',
  () => ({}),
  (service) => {
    const request = (key: string): IdempotentRequest => ({
      organization_id: service.get().organization_id,
      scope: 'POST /v1/test',
      key,
      fingerprint: 'f',
    });

    it('replays the response byte for byte, in its order of properties', async () => {
      const { deps } = service.get();
      const body = { z: 1, a: { y: [true, null], b: 'é' } };
      const first = await withIdempotency(deps, request('bytes'), async () => ({ status: 201, body }));
      const second = await withIdempotency(deps, request('bytes'), async () => {
        throw new Error('must not be called');
      });
      expect(first.replayed).toBe(false);
      expect(second).toMatchObject({ status: 201, replayed: true });
      expect(JSON.stringify(second.body)).toBe(JSON.stringify(body));
    });

    it('finds the last response under keys with a prefix', async () => {
      const { deps, organization_id } = service.get();
      const place = (key: string) => withIdempotency(deps, request(key), async () => ({ status: 201, body: { key } }));
      const find = (prefix: string, scope = 'POST /v1/test') =>
        findLastStoredResponse(deps, { organization_id, scope, prefix });
      for (const key of ['a_%:000009', 'a_%:000010', 'a_%:z', 'a_%', 'a1%:000011', 'a_%:x:000012']) await place(key);
      expect(await find('a_%:')).toMatchObject({ key: 'a_%:000010', body: { key: 'a_%:000010' } });
      expect(await find('a_%:', 'POST /v1/other')).toBeUndefined();
      deps.clock.advance(25 * 3600 * 1000);
      expect(await find('a_%:')).toBeUndefined();
    });

    it('stores nothing if the action throws', async () => {
      const { deps } = service.get();
      const failing = withIdempotency(deps, request('throws'), async () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await findStoredResponse(deps, request('throws'))).toBeUndefined();
      expect(await withIdempotency(deps, request('throws'), async () => ({ status: 200, body: 'yes' }))).toMatchObject({
        body: 'yes',
        replayed: false,
      });
    });

    it('purges responses older than a day', async () => {
      const { deps } = service.get();
      await withIdempotency(deps, request('old'), async () => ({ status: 200, body: 1 }));
      const dayMs = 24 * 3_600_000;
      await purgeStoredResponses(deps.db, new Date(deps.clock.now().getTime() + dayMs - 1));
      expect(await findStoredResponse(deps, request('old'))).toBeDefined();
      await purgeStoredResponses(deps.db, new Date(deps.clock.now().getTime() + dayMs + 1));
      expect(await findStoredResponse(deps, request('old'))).toBeUndefined();
    });

    it('makes the second of two concurrent requests wait for the first', async () => {
      const { deps } = service.get();
      const begun = Promise.withResolvers<undefined>();
      const slow = withIdempotency(deps, request('slow'), async () => {
        begun.resolve(undefined);
        await new Promise((resolve) => setTimeout(resolve, 200));
        return { status: 201, body: 'first' };
      });
      await begun.promise;
      const second = withIdempotency(deps, request('slow'), async () => ({ status: 201, body: 'second' }));
      expect(await second).toEqual({ status: 201, body: 'first', replayed: true });
      expect(await slow).toEqual({ status: 201, body: 'first', replayed: false });
    });
  },
);
