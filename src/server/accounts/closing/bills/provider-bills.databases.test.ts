import { expect, it } from 'vitest';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { sampleMedia } from '#server/operations/installation/list-stored-media.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { markSubmitting, recordAccepted } from '#server/studio/generations/upstream/upstream-job.ts';
import { PRICED_REQUESTS } from '#server/accounts/billing/testing/ledger-fixture.ts';

const clock = createTestClock(new Date('2026-11-20T08:00:00.000Z'));
const QUERY = { provider_id: 'file:painter', month: '2026-11', filename: 'november.csv' };
const bill = (...lines: string[]) => Buffer.from(['Date,Model,Request ID,Cost', ...lines, ''].join('\n'));

describeOnBothDatabases(
  'Bills of providers',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    it('are stored with their lines and their file, beside our cost of the month', async () => {
      const studio = await service.createOrganization('100.00');
      const { deps } = service.get();
      const { id } = (await studio.call('create_generation', { body: PRICED_REQUESTS[0].body })).body;
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('It could not be claimed.');
      const completion = { cost_micro_usd: 40_000n, cost_basis: 'list' as const, handle: undefined };
      await markSubmitting(deps, lease, { name: 'painter/image' }, {});
      await recordAccepted(deps, lease, { request_id: 'r-1' });
      await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} }, completion);

      const file = gzipSync(bill('2026-11-20,still,r-1,0.0400000015', '2026-11-21,still,r-2,0.5'));
      const preview = (await studio.call('preview_provider_bill', { query: QUERY, file })).body;
      expect(preview).toMatchObject({ line_count: 2, amount: '0.540000002', problem: null });
      expect((await studio.call('list_provider_bills')).body.data).toEqual([]);

      const stored = (await studio.call('create_provider_bill', { query: QUERY, file })).body;
      expect(stored).toMatchObject({ line_count: 2, amount_usd: '0.540000002', provider: { name: 'painter' } });
      expect((await studio.call('list_provider_bills', { query: { month: '2026-11' } })).body.data).toEqual([stored]);
      expect((await studio.call('list_provider_bills', { query: { month: '2026-10' } })).body.data).toEqual([]);
      expect((await studio.call('get_provider_bill', { params: { bill_id: stored.id } })).body).toEqual(stored);

      const { data } = (await studio.call('get_close', { query: { month: '2026-11' } })).body;
      expect(data.find(({ provider }) => provider.id === 'file:painter')).toMatchObject({
        provider: { id: 'file:painter', name: 'painter' },
        cost_usd: '0.04',
        unknown_cost_count: 0,
        bill_count: 1,
        bill_usd: '0.540000002',
        difference_usd: '0.500000002',
        findings: [{ kind: 'rounded' }, { kind: 'theirs_only' }],
      });

      const params = { bill_id: stored.id };
      const first = (await studio.call('list_provider_bill_lines', { params, query: { limit: 1 } })).body;
      const cursor = first.next_cursor ?? '';
      const rest = (await studio.call('list_provider_bill_lines', { params, query: { cursor } })).body;
      expect(
        [...first.data, ...rest.data].map(({ row, request_id, amount_usd }) => [row, request_id, amount_usd]),
      ).toEqual([
        [2, 'r-1', '0.040000002'],
        [3, 'r-2', '0.50'],
      ]);

      const fromThird = (await studio.call('list_provider_bill_lines', { params, query: { from_row: 3 } })).body;
      expect(fromThird.data.map(({ row }) => row)).toEqual([3]);

      const key = `bills/${stored.id}.csv`;
      await deleteOrphanedFiles(deps, new Date(Date.now() + 3_600_000));
      expect(await buffer(await deps.storage.read(key))).toEqual(file);
      expect(await sampleMedia(deps.db, 100)).toContainEqual({ key, size_bytes: file.length, sha256: stored.sha256 });

      const path = `/v1/billing/bills/${stored.id}/file`;
      const get = (key: string) =>
        service.get().app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${key}` } });
      const downloaded = await get(studio.key);
      expect(downloaded.rawPayload).toEqual(file);
      expect(downloaded.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="november.csv"',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect((await get((await service.createOrganization('1.00')).key)).statusCode).toBe(404);

      await studio.call('delete_provider_bill', { params });
      expect(await deps.storage.stat(key)).toBeNull();
      expect((await studio.callError('list_provider_bill_lines', { params })).status).toBe(404);
    });

    it('are refused a second time, and change nothing where a line is wrong', async () => {
      const studio = await service.createOrganization('100.00');
      const file = bill('2026-11-20,still,r-1,1');
      await studio.call('create_provider_bill', { query: QUERY, file });
      const again = await studio.callError('create_provider_bill', { query: { ...QUERY, month: '2026-10' }, file });
      expect(again.error.message).toBe('This file is stored already: look for it in the list of bills.');
      const other = await service.createOrganization('100.00');
      await other.call('create_provider_bill', { query: QUERY, file });

      const broken = bill('2026-11-20,still,r-1,1', '2026-11-21,still,r-1,x');
      const { status, error } = await studio.callError('create_provider_bill', { query: QUERY, file: broken });
      expect([status, error.message]).toEqual([422, 'Row 3: “x” is not an amount with a decimal point.']);
      const unknown = { ...QUERY, provider_id: 'prv_unknown' };
      expect((await studio.callError('create_provider_bill', { query: unknown, file: broken })).status).toBe(422);
      expect((await studio.call('list_provider_bills')).body.data).toHaveLength(1);
    });

    it('keep the rate of another currency, and the chosen columns for the next file', async () => {
      const studio = await service.createOrganization('100.00');
      const rows = (amount: string) => Buffer.from(`wann;was;netto;brutto\n03.11.2026;a;1,00;${amount}\n`);
      const chosen = { ...QUERY, date_column: 'wann', amount_column: 'brutto', service_column: 'was', currency: 'EUR' };
      const query = { ...chosen, usd_rate: '1.0845' };
      const stored = (await studio.call('create_provider_bill', { query, file: rows('1,19') })).body;
      expect(stored).toMatchObject({ currency: 'EUR', usd_rate: '1.0845', amount: '1.19', amount_usd: '1.290555' });
      const next = (await studio.call('preview_provider_bill', { query: QUERY, file: rows('2,38') })).body;
      expect(next).toMatchObject({ problem: null, amount: '2.38', columns: { amount: 'brutto' } });
    });

    it('are downloaded under a name that no system opens as something else', async () => {
      const studio = await service.createOrganization('100.00');
      const query = { ...QUERY, filename: 'Über "mich"\u202e/../x.html' };
      const { id } = (await studio.call('create_provider_bill', { query, file: bill('2026-11-02,a,,3') })).body;
      const { headers } = await service.get().app.inject({
        method: 'GET',
        url: `/v1/billing/bills/${id}/file`,
        headers: { authorization: `Bearer ${studio.key}` },
      });
      expect(headers['content-disposition']).toBe(
        `attachment; filename="_ber _mich__.._x.html.csv"; filename*=UTF-8''%C3%9Cber%20%22mich%22_.._x.html.csv`,
      );
    });

    it('belong to one organization', async () => {
      const studio = await service.createOrganization('100.00');
      const { id } = (await studio.call('create_provider_bill', { query: QUERY, file: bill('2026-11-02,a,,1') })).body;
      const other = await service.createOrganization('100.00');
      const params = { bill_id: id };
      for (const name of ['get_provider_bill', 'list_provider_bill_lines', 'delete_provider_bill'] as const)
        expect((await other.callError(name, { params })).status).toBe(404);
      expect((await other.call('list_provider_bills')).body.data).toEqual([]);
      expect((await other.call('get_close', { query: { month: '2026-11' } })).body.data).toEqual([]);
    });

    it('stores many lines in the order of the file', async () => {
      const studio = await service.createOrganization('100.00');
      const count = 12_345;
      const file = bill(...Array.from({ length: count }, (_, at) => `2026-11-02,m,r-${at},0.000000001`));
      const stored = (await studio.call('create_provider_bill', { query: QUERY, file })).body;
      expect(stored).toMatchObject({ line_count: count, amount: '0.000012345' });
      const query = { limit: 200 };
      const { data } = (await studio.call('list_provider_bill_lines', { params: { bill_id: stored.id }, query })).body;
      expect(data.map(({ row }) => row)).toEqual(Array.from({ length: 200 }, (_, at) => at + 2));
    });
  },
);
