import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReviewDecisionRequest } from '#contract/resources/review.ts';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { removeExpiredMedia } from '#server/studio/assets/retention.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakePollBehavior,
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { markSubmitting, recordAccepted } from '#server/studio/generations/upstream/upstream-job.ts';

const RELEASED = ['RELEASE 30000', 'RESERVE -30000'];
const SETTLED = [...RELEASED, 'SETTLE -30000'];
const shutdown = new AbortController().signal;
const media = useMediaFixture();

let studio: FakeProviderServer;
beforeAll(async () => {
  studio = await startFakeProviderServer();
});
afterAll(() => studio.close());
const adapter = createFakeProviderAdapter(() => studio);
const engine = createUpstreamEngine({ name: 'studio', adapter, supports: () => true });

describeOnBothDatabases(
  'A generation in review',
  () => ({ engines: [engine] }),
  (service) => {
    const bench = createWorkerFixture(service);
    let org: TestOrganization;
    beforeEach(async () => {
      studio.reset();
      org = await service.createOrganization('10');
    });
    afterEach(() => bench.stop());
    const inReview = async (act: FakePollBehavior = 'unsure'): Promise<string> => {
      studio.poll_default = act;
      const { id } = await bench.create(org, 'a lighthouse');
      await runGeneration(service.get().deps, id, { shutdown });
      expect((await bench.read(org, id)).status).toBe('manual_review');
      return id;
    };
    const at = (generation_id: string) => ({ params: { generation_id } });
    const approve = { decision: 'approve', note: 'Looks right.' } as const;
    const reject = { decision: 'reject', note: 'Not what was asked for.' } as const;
    const decide = (id: string, body: ReviewDecisionRequest) => org.call('decide_review', { ...at(id), body });
    const refuse = (id: string, body: object) => org.callError('decide_review', { ...at(id), body: { ...body } });
    const upload = (file: string) => media.upload(service.get(), org.organization_id, file);

    it('is listed and shows everything needed to decide', async () => {
      const id = await inReview();
      const { body } = await org.call('list_generations', { query: { status: 'manual_review' } });
      expect(body.data.map((generation) => generation.id)).toEqual([id]);
      const review = (await org.call('get_review', at(id))).body;
      expect(review).toMatchObject({
        status: 'manual_review',
        reason: 'The studio asks for a person.',
        amount_usd: '0.03',
        charge_usd: '0.03',
        billing_status: 'reserved',
        upstream: { engine: 'studio', handle: { id: 'job-1' }, cost_usd: '0.01' },
        decision: null,
      });
      const link = new URL(review.output.assets[0]?.url ?? '');
      const held = await service.get().app.inject({ url: link.pathname + link.search });
      expect([held.statusCode, held.headers['content-type']]).toEqual([200, 'image/png']);
    });

    it('keeps held outputs from the orphan sweep', async () => {
      const { deps } = service.get();
      const id = await inReview();
      const before = await bench.listStoredKeys();
      await deleteOrphanedFiles(deps, new Date(Date.now() + 1_000));
      expect(await bench.listStoredKeys()).toEqual(before);
      expect((await decide(id, approve)).body.output.assets).toHaveLength(1);
    });

    it('succeeds and is charged when approved', async () => {
      const id = await inReview();
      const { body } = await decide(id, approve);
      expect(body).toMatchObject({
        status: 'succeeded',
        billing_status: 'settled',
        decision: { ...approve, decided_by: { name: 'Key' } },
      });
      const done = await bench.read(org, id);
      expect(done).toMatchObject({ status: 'succeeded', error: null, usage: { amount_usd: '0.03' } });
      expect(done.completed_at).not.toBeNull();
      expect(done.output.assets).toMatchObject([{ width: 4, height: 2 }]);
      expect(await bench.readLedgerEntries(id)).toEqual(SETTLED);
    });

    it('fails, releases its funds and deletes held outputs when rejected', async () => {
      const before = await bench.listStoredKeys();
      const id = await inReview();
      expect((await decide(id, reject)).body).toMatchObject({ status: 'failed', output: { assets: [] } });
      expect(await bench.read(org, id)).toMatchObject({ status: 'failed', error: { code: 'rejected' } });
      expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
      expect(await bench.listStoredKeys()).toEqual(before);
    });

    it('accepts uploads as the result, which may be deleted afterwards', async () => {
      const id = await inReview();
      const picture = await upload(media.picture());
      await decide(id, { ...approve, upload_ids: [picture.id] });
      await org.call('delete_upload', { params: { upload_id: picture.id } });
      const { output } = await bench.read(org, id);
      expect(output.assets).toMatchObject([{ width: 64, height: 36 }]);
      const link = new URL(output.assets[0]?.url ?? '');
      expect((await service.get().app.inject({ url: link.pathname + link.search })).statusCode).toBe(200);
      expect(await bench.readLedgerEntries(id)).toEqual(SETTLED);
    });

    it('returns the field of an invalid result and stays in review', async () => {
      const id = await inReview('empty');
      const clip = await upload(media.clip());
      const other = await service.createOrganization('1');
      const foreign = await media.upload(service.get(), other.organization_id, media.picture());
      const wrong: [object, string][] = [
        [approve, 'upload_ids'],
        [{ ...approve, upload_ids: [clip.id] }, 'upload_ids.0'],
        [{ ...approve, upload_ids: [foreign.id] }, 'upload_ids.0'],
        [{ ...approve, note: '' }, 'note'],
        [{ ...reject, upload_ids: [clip.id] }, 'upload_ids'],
        [{ ...approve, decision: 'perhaps' }, 'decision'],
      ];
      for (const [body, path] of wrong) {
        const { status, error } = await refuse(id, body);
        expect([status, error.details?.[0]?.path]).toEqual([422, path]);
      }
      expect((await bench.read(org, id)).status).toBe('manual_review');
      expect(await bench.readLedgerEntries(id)).toEqual(['RESERVE -30000']);
    });

    describe('keeps a file that is no media here', () => {
      const unread = {
        id: expect.stringMatching(/^fil_/),
        filename: 'result-1.bin',
        size_bytes: 'not a picture'.length,
        reason: expect.stringMatching(/^This is not a supported image/),
      };
      const readFile = async (url = '') => {
        const { pathname, search } = new URL(url);
        return service.get().app.inject({ url: pathname + search });
      };

      it('for download, with the reason', async () => {
        const id = await inReview('text');
        const review = (await org.call('get_review', at(id))).body;
        expect(review.reason).toMatch(/a file of its result can’t be used here: This is not a supported image/);
        expect(review.output).toMatchObject({ assets: [], files: [unread] });
        const kept = await readFile(review.output.files?.[0]?.url);
        expect([kept.statusCode, kept.body]).toEqual([200, 'not a picture']);
        expect(kept.headers).toMatchObject({
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="result-1.bin"',
          'x-content-type-options': 'nosniff',
        });
        await deleteOrphanedFiles(service.get().deps, new Date(Date.now() + 1_000));
        expect((await readFile(review.output.files?.[0]?.url)).statusCode).toBe(200);
      });

      it('with the result when approved, which is charged, until its retention ends', async () => {
        const id = await inReview('text');
        expect((await decide(id, approve)).body.status).toBe('succeeded');
        expect(await bench.readLedgerEntries(id)).toEqual(SETTLED);
        const { output } = await bench.read(org, id);
        expect(output).toMatchObject({ assets: [], files: [unread] });
        const { deps } = service.get();
        await removeExpiredMedia({ ...deps, config: { ...deps.config, mediaTtlDays: 1 } });
        expect((await readFile(output.files?.[0]?.url)).statusCode).toBe(200);
        deps.clock.advance(2 * 86_400_000);
        await removeExpiredMedia({ ...deps, config: { ...deps.config, mediaTtlDays: 1 } });
        expect((await bench.read(org, id)).output.files).toBeUndefined();
      });

      it('until it is rejected', async () => {
        const before = await bench.listStoredKeys();
        const id = await inReview('text');
        const { output } = (await org.call('get_review', at(id))).body;
        expect((await decide(id, reject)).body.output.files).toBeUndefined();
        expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
        expect((await readFile(output.files?.[0]?.url)).statusCode).toBe(404);
        expect(await bench.listStoredKeys()).toEqual(before);
      });

      it('of a result that came after the cancel', async () => {
        studio.poll_default = 'text';
        const { deps } = service.get();
        const { id } = await bench.create(org, 'a lighthouse');
        const lease = await claimGeneration(deps, id);
        if (!lease) throw new Error('It could not be claimed.');
        await markSubmitting(deps, lease, { name: 'studio' }, {});
        studio.jobs.push({ id: 'job-1', key: id, canceled: false, polls: 0 });
        await recordAccepted(deps, lease, { id: 'job-1' });
        studio.behaviors.cancel = ['late'];
        await org.call('cancel_generation', at(id));
        await bench.start();
        await waitFor('the file', async () => (await bench.read(org, id)).output.files !== undefined);
        expect(await bench.read(org, id)).toMatchObject({
          status: 'canceled',
          output: { assets: [], files: [unread] },
        });
        expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
      });
    });

    it('accepts a repeated decision and rejects a different one', async () => {
      const id = await inReview();
      const first = (await decide(id, approve)).body;
      expect((await decide(id, { ...approve, note: 'Again.' })).body).toEqual(first);
      expect((await refuse(id, reject)).error.code).toBe('not_in_review');
      expect(await bench.readLedgerEntries(id)).toEqual(SETTLED);
    });

    it('lets one of two concurrent decisions win', async () => {
      for (let round = 0; round < 5; round += 1) {
        const id = await inReview();
        const picture = await upload(media.picture());
        const [yes, no] = await Promise.all([
          org.request('decide_review', { ...at(id), body: { ...approve, upload_ids: [picture.id] } }),
          org.request('decide_review', { ...at(id), body: reject }),
        ]);
        const refused = [yes, no].filter(isErrorResponse);
        expect(refused.map(({ error }) => error.code)).toEqual(['not_in_review']);
        const { status, output } = await bench.read(org, id);
        expect(status).toBe(isErrorResponse(yes) ? 'failed' : 'succeeded');
        expect(output.assets).toHaveLength(isErrorResponse(yes) ? 0 : 1);
        expect(await bench.readLedgerEntries(id)).toEqual(isErrorResponse(yes) ? RELEASED : SETTLED);
        const stored = await bench.listStoredKeys();
        expect(stored.filter((key) => output.assets.some((asset) => key.includes(asset.id)))).toHaveLength(
          output.assets.length,
        );
      }
    });

    it('can be neither canceled nor retried', async () => {
      const id = await inReview();
      expect((await org.call('cancel_generation', at(id))).body.status).toBe('manual_review');
      expect((await org.callError('retry_generation', at(id))).error.code).toBe('retry_not_allowed');
    });

    it('cancels an upstream job that is still active', async () => {
      const { deps } = service.get();
      const { id } = await bench.create(org, 'a lighthouse');
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('It could not be claimed.');
      await markSubmitting(deps, lease, { name: 'studio' }, {});
      studio.jobs.push({ id: 'job-1', key: id, canceled: false, polls: 0 });
      await recordAccepted(deps, lease, { id: 'job-1' });
      deps.clock.advance(16_000);
      await runGeneration({ ...deps, offering: fixedOffering({ engines: [] }) }, id, { shutdown });
      expect((await org.call('get_review', at(id))).body.upstream).toMatchObject({ state: 'accepted' });
      await bench.start();
      await decide(id, reject);
      await waitFor('the job to be stopped', async () => studio.jobs[0]?.canceled);
      expect(await bench.readLedgerEntries(id)).toEqual(RELEASED);
    });

    describe('requires an organization key of the same organization', () => {
      const names = ['get_review', 'get_upstream_job', 'decide_review'] as const;

      it.each(names)('%s', async (name) => {
        const id = await inReview();
        const body = name === 'decide_review' ? { body: { ...reject } } : {};
        const { key: member } = await createKey(service.get().deps, {
          organization_id: org.organization_id,
          name: 'Member',
          kind: 'member',
        });
        expect((await org.callError(name, { ...at(id), ...body, key: member })).status).toBe(401);
        const other = await service.createOrganization('1');
        expect((await other.callError(name, { ...at(id), ...body })).error.code).toBe('generation_not_found');
        expect((await bench.read(org, id)).status).toBe('manual_review');
      });
    });

    it('returns 404 for a generation that was never in review or upstream', async () => {
      const { id } = await bench.create(org, 'a lighthouse');
      for (const name of ['get_review', 'get_upstream_job'] as const) {
        expect((await org.callError(name, at(id))).error.code).toBe('not_found');
      }
      expect((await refuse(id, approve)).error.code).toBe('not_found');
      await waitFor('its end', async () => (await org.call('cancel_generation', at(id))).body.status === 'canceled');
    });
  },
);
