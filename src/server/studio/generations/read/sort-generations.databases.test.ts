import { beforeAll, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';

/** Duration in seconds; null: it never ended. */
const ROWS: [name: string, seconds: number | null, cost_micro_usd: bigint, billing: 'settled' | 'released'][] = [
  ['a', 5, 40_000n, 'settled'],
  ['b', null, 30_000n, 'settled'],
  ['c', 12.25, 90_000n, 'released'],
  ['d', 5, 30_000n, 'settled'],
  ['e', null, 0n, 'released'],
  ['f', 0.5, 70_000n, 'settled'],
];

describeOnBothDatabases(
  'Sorted generations',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    let org: TestOrganization;
    const names = new Map<string, string>();
    const page = async (query: Record<string, string | number>) => (await org.call('list_generations', { query })).body;
    const walk = async (query: Record<string, string | number>, limit: number): Promise<string> => {
      let found = '';
      for (let cursor: string | null = ''; cursor !== null;) {
        const { data, next_cursor } = await page({ ...query, limit, ...(cursor ? { cursor } : {}) });
        found += data.map(({ id }) => names.get(id)).join('');
        cursor = next_cursor;
      }
      return found;
    };

    beforeAll(async () => {
      org = await service.createOrganization('100');
      const { db, clock } = service.get().deps;
      for (const [name, seconds, amount_micro_usd, billing_status] of ROWS) {
        clock.advance(1_000);
        const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: `kite ${name}` } };
        const { id } = (await org.call('create_generation', { body })).body;
        names.set(id, name);
        const started_at = clock.now();
        const completed_at = seconds === null ? null : new Date(started_at.getTime() + seconds * 1_000);
        await db
          .update(generations)
          .set({ started_at, completed_at, amount_micro_usd, billing_status })
          .where(eq(generations.id, id));
      }
    });

    describe.each([1, 2, 6])('in pages of %d', (limit) => {
      it.each([
        ['created_at', 'desc', 'fedcba'],
        ['created_at', 'asc', 'abcdef'],
        ['duration', 'desc', 'cdafeb'],
        ['duration', 'asc', 'fadcbe'],
        ['cost', 'desc', 'fadbec'],
        ['cost', 'asc', 'cebdaf'],
      ])('by %s, %s', async (sort, order, expected) => {
        expect(await walk({ sort, order }, limit)).toBe(expected);
        expect(await walk({ sort, order, q: 'kite' }, limit)).toBe(expected);
      });
    });

    it('refuses a cursor of another order, and an unknown one', async () => {
      const { next_cursor } = await page({ sort: 'cost', limit: 1 });
      const query = { sort: 'duration', cursor: next_cursor ?? '' };
      expect(await org.callError('list_generations', { query })).toMatchObject({
        status: 422,
        error: { code: 'invalid_request', details: [{ path: 'cursor' }] },
      });
      expect((await org.callError('list_generations', { query: { sort: 'size' } })).status).toBe(422);
    });
  },
);
