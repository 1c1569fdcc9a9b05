import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { derivativeJobs } from '#server/platform/db/schema/derivative-schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { type Storage, throwUnavailable } from '#server/platform/storage/storage.ts';
import { useDerivativesFixture } from './testing/derivatives-fixture.ts';

describeOnBothDatabases(
  'derivatives that fail',
  () => ({}),
  (shared) => {
    const bench = useDerivativesFixture(shared);
    let copyToFile: Storage['copyToFile'];
    beforeAll(() => {
      ({ copyToFile } = shared.get().deps.storage);
    });
    afterEach(() => {
      shared.get().deps.storage.copyToFile = copyToFile;
    });

    it('are marked as failed for a file that cannot be processed', async () => {
      const { storage } = shared.get().deps;
      const studio = await shared.createOrganization('1');
      const picture = await bench.upload(studio, await bench.createPicture());
      async function* garbage() {
        yield Buffer.from('no picture');
      }
      await storage.put(await bench.findSourceKey(picture), garbage());
      await bench.start();
      expect(await bench.waitForCompletedJob(picture)).toMatchObject({
        state: 'failed',
        attempts: 1,
        problem: expect.stringContaining('No thumbnail'),
      });
      expect((await bench.read(studio, picture.id)).derivatives).toBeNull();
      const next = await bench.upload(studio, await bench.createPicture());
      expect((await bench.waitForDerivatives(studio, next)).thumbnails).toHaveLength(2);
    });

    it('are marked as failed after three attempts that killed the process', async () => {
      const { db, clock } = shared.get().deps;
      const studio = await shared.createOrganization('1');
      const picture = await bench.upload(studio, await bench.createPicture());
      const held = { attempts: 3, due_at: new Date(clock.now().getTime() + 600_000) };
      await db
        .update(derivativeJobs)
        .set(held)
        .where(eq(derivativeJobs.source_key, await bench.findSourceKey(picture)));
      await bench.start();
      expect(await bench.waitForCompletedJob(picture)).toMatchObject({ state: 'failed', attempts: 4 });
    });

    it('are retried after a storage outage', async () => {
      const { storage, clock } = shared.get().deps;
      const studio = await shared.createOrganization('1');
      let attempts = 0;
      storage.copyToFile = async () => {
        attempts += 1;
        return throwUnavailable(new Error('away'));
      };
      const picture = await bench.upload(studio, await bench.createPicture());
      await bench.start();
      await waitFor('the store to be asked', async () => attempts > 0);
      // A running attempt counts; a postponed one does not.
      const putOff = await waitFor('it to be put off', async () => {
        const row = await bench.readJob(picture);
        return row?.attempts === 0 && row.due_at > clock.now() && row;
      });
      expect(putOff.state).toBe('waiting');
      storage.copyToFile = copyToFile;
      clock.advance(61_000);
      await bench.upload(studio, await bench.createPicture());
      expect((await bench.waitForDerivatives(studio, picture)).thumbnails).toHaveLength(2);
    });

    it('are released at shutdown and created after a restart', async () => {
      const { storage } = shared.get().deps;
      const studio = await shared.createOrganization('1');
      const picture = await bench.upload(studio, await bench.createPicture());
      let began = false;
      storage.copyToFile = (_key, _file, { signal } = {}) => {
        began = true;
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      };
      await bench.start();
      await waitFor('it to begin', async () => began);
      await bench.stop();
      storage.copyToFile = copyToFile;
      expect(await bench.readJob(picture)).toMatchObject({ state: 'waiting', attempts: 0 });
      await bench.start();
      expect((await bench.waitForDerivatives(studio, picture)).thumbnails).toHaveLength(2);
    });
  },
);
