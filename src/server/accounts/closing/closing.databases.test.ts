import { expect, it } from 'vitest';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { billFile, rowOf, runJob, sumNano, type TestJob } from './testing/closing-fixture.ts';

const clock = createTestClock(new Date('2026-10-01T08:00:00.000Z'));
const NOVEMBER = { month: '2026-11' };
const PROVIDER = { provider_id: 'file:painter' };
const QUERY = { ...PROVIDER, ...NOVEMBER, filename: 'november.csv' };
const JOB = { at: '2026-11-20T08:00:00.000Z', costMicroUsd: 40_000n } as const;

describeOnBothDatabases(
  'The close of a month',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    const run = (studio: Parameters<typeof runJob>[2], job: TestJob) => runJob(service.get(), clock, studio, job);
    const open = async () => {
      clock.advance(new Date('2026-10-20T08:00:00.000Z').getTime() - clock.now().getTime());
      return service.createOrganization('100.00');
    };

    it('names every line and every job, and the names add up to the difference', async () => {
      const studio = await open();
      const early = await run(studio, { at: '2026-10-31T23:59:59.999Z', requestId: 'early', costMicroUsd: 10_000n });
      await run(studio, { ...JOB, requestId: 'same' });
      await run(studio, { ...JOB, requestId: 'dearer' });
      const failed = await run(studio, { ...JOB, requestId: 'broken', costMicroUsd: null, status: 'failed' });
      await run(studio, { ...JOB, requestId: 'waits' });
      await run(studio, { ...JOB, requestId: null });
      const file = billFile([
        '2026-11-20,motion-v2,same,1,0.0400000003',
        '2026-11-20,motion-v2,dearer,1,0.05',
        '2026-11-20,motion-v2,broken,1,0.04',
        '2026-11-01,motion-v2,early,1,0.01',
        '2026-11-21,motion-v2,nobody,1,0.4',
        '2026-11-30,Credit for November,,,-0.1',
      ]);
      await studio.call('create_provider_bill', { query: QUERY, file });
      const row = rowOf((await studio.call('get_close', { query: NOVEMBER })).body);
      expect(row.findings.map(({ kind, amount_usd, finding_count }) => [kind, amount_usd, finding_count])).toEqual([
        ['equal', '0.00', 1],
        ['price_differs', '0.01', 1],
        ['billed_not_delivered', '0.04', 1],
        ['billed_later', '0.01', 1],
        ['theirs_only', '0.30', 2],
        ['ours_only', '-0.08', 2],
      ]);
      expect(row).toMatchObject({ cost_usd: '0.16', bill_usd: '0.44', difference_usd: '0.28', open_count: 6 });
      expect(sumNano([row.explained_usd, row.open_usd])).toBe(sumNano([row.difference_usd ?? '']));

      const list = async (query: object) =>
        (await studio.call('list_closing_findings', { query: { ...NOVEMBER, ...query } })).body;
      const [largest] = (await list({ limit: 1 })).data;
      expect(largest).toMatchObject({ request_id: 'nobody', kind: 'theirs_only', actions: ['book_cost'] });
      const { next_cursor } = await list({ limit: 3 });
      const pages = [
        ...(await list({ limit: 3 })).data,
        ...(await list({ cursor: next_cursor ?? '', limit: 100 })).data,
      ];
      expect(pages.map(({ id }) => id)).toEqual((await list({ limit: 100 })).data.map(({ id }) => id));
      expect(sumNano(pages.map(({ difference_usd }) => difference_usd))).toBe(280_000_000n);
      for (const [query, count] of [
        [{ q: 'motion' }, 5],
        [{ q: failed.toUpperCase() }, 1],
        [{ q: 'DEARER' }, 1],
        [{ q: '%' }, 0],
        [{ q: 'imgmodel' }, 6],
        [{ kind: 'ours_only' }, 2],
        [{ settled: 'open' }, 6],
        [{ settled: 'settled' }, 0],
        [PROVIDER, 8],
        [{ provider_id: 'file:other' }, 0],
      ] as const)
        expect({ query, count: (await list(query)).data.length }).toEqual({ query, count });
      const [later] = (await list({ kind: 'billed_later' })).data;
      expect(later).toMatchObject({ generation_id: early, due_usd: '0.00', detail: { month: '2026-10' } });
      const other = await service.createOrganization('1.00');
      expect((await other.call('list_closing_findings', { query: NOVEMBER })).body.data).toEqual([]);
    });

    it('matches lines without request ids by day and model', async () => {
      const studio = await open();
      for (const day of ['2026-11-03', '2026-11-03', '2026-11-04'])
        await run(studio, { ...JOB, at: `${day}T10:00:00.000Z`, requestId: null });
      const file = billFile([
        '2026-11-03,"ImgModel A 2, image output",,2,0.06',
        '2026-11-03,"ImgModel A 2, text input",,9,0.02',
        '2026-11-05,somebody’s model,,1,1',
      ]);
      await studio.call('create_provider_bill', { query: QUERY, file });
      const row = rowOf((await studio.call('get_close', { query: NOVEMBER })).body);
      expect(row.findings.map(({ kind, line_count, job_count }) => [kind, line_count, job_count])).toEqual([
        ['equal', 2, 2],
        ['theirs_only', 1, 0],
        ['ours_only', 0, 1],
      ]);
    });

    it('follows costs and bills that arrive later', async () => {
      const studio = await open();
      await run(studio, { ...JOB, requestId: 'first' });
      const first = billFile(['2026-11-20,m,first,1,0.04']);
      const { id } = (await studio.call('create_provider_bill', { query: QUERY, file: first })).body;
      const kinds = async (month: string) =>
        rowOf((await studio.call('get_close', { query: { month } })).body).findings.map(({ kind }) => kind);
      expect(await kinds('2026-11')).toEqual(['equal']);
      await run(studio, { ...JOB, requestId: 'second' });
      expect(await kinds('2026-11')).toEqual(['equal', 'ours_only']);
      const late = billFile(['2026-12-01,m,second,1,0.04']);
      await studio.call('create_provider_bill', { query: { ...QUERY, month: '2026-12' }, file: late });
      expect([await kinds('2026-11'), await kinds('2026-12')]).toEqual([['equal', 'billed_later'], ['billed_later']]);
      await studio.call('delete_provider_bill', { params: { bill_id: id } });
      const row = rowOf((await studio.call('get_close', { query: NOVEMBER })).body);
      expect(row).toMatchObject({ bill_usd: null, difference_usd: null });
    });

    it('has all settlements of a finding, which is open again after another bill', async () => {
      const studio = await open();
      await run(studio, { ...JOB, requestId: 'dearer' });
      const addBill = async (amount: string) =>
        studio.call('create_provider_bill', { query: QUERY, file: billFile([`2026-11-20,m,dearer,1,${amount}`]) });
      const settle = (note: string) =>
        studio.call('settle_findings', {
          body: { ...NOVEMBER, ...PROVIDER, kind: 'price_differs', action: 'book_cost', note },
        });
      const { id: bill_id } = (await addBill('0.05')).body;
      const [finding] = (await studio.call('list_closing_findings', { query: NOVEMBER })).body.data;
      const params = { finding_id: finding?.id ?? '' };
      const read = async () => (await studio.call('get_closing_finding', { params })).body;
      expect(await read()).toEqual({ ...finding, settlements: [] });
      const { id: first } = (await settle('The price rose')).body;
      await studio.call('delete_provider_bill', { params: { bill_id } });
      await addBill('0.045000001');
      expect(await read()).toMatchObject({ kind: 'price_differs', due_usd: '-0.004999999', settled: { id: first } });
      const { id: second } = (await settle('Another invoice')).body;
      const { settled, settlements, due_usd } = await read();
      expect(settlements).toMatchObject([
        { id: second, action: 'book_cost', note: 'Another invoice', amount_usd: '-0.004999999' },
        { id: first, action: 'book_cost', note: 'The price rose', amount_usd: '0.01' },
      ]);
      expect([settled, due_usd]).toEqual([settlements[0], '0.00']);
      const other = await service.createOrganization('1.00');
      expect((await other.callError('get_closing_finding', { params })).status).toBe(404);
    });

    it('books corrections that margin and statement follow, closes, and keeps late lines for the next month', async () => {
      const studio = await open();
      const metadata = {};
      const dearer = await run(studio, { ...JOB, requestId: 'dearer', metadata });
      await run(studio, { ...JOB, requestId: 'late' });
      const broken = await run(studio, { ...JOB, requestId: 'broken', costMicroUsd: null, status: 'failed' });
      const lines = ['2026-11-20,m,dearer,1,0.0500007', '2026-11-20,m,broken,1,0.03', '2026-11-20,m,nobody,1,1'];
      await studio.call('create_provider_bill', { query: QUERY, file: billFile(lines) });
      const settle = (body: object) =>
        studio.call('settle_findings', { body: { ...NOVEMBER, ...PROVIDER, action: 'book_cost', ...body } as never });
      const refuse = async (body: object) =>
        (
          await studio.callError('settle_findings', {
            body: { ...NOVEMBER, ...PROVIDER, action: 'book_cost', ...body } as never,
          })
        ).error.message;
      const close = () => studio.call('close_month', { params: NOVEMBER });
      const refuseClose = async () => (await studio.callError('close_month', { params: NOVEMBER })).error.message;
      expect(await refuseClose()).toBe('The month is not over yet (UTC). Settle 3 findings first. Ours only may wait.');
      expect(await refuse({ kind: 'theirs_only' })).toBe('Enter a note that says why.');
      expect(await refuse({ kind: 'equal' })).toMatch('No open finding');
      expect(await refuse({})).toMatch('Name either');
      expect(await refuse({ kind: 'price_differs', action: 'use_new_cost' })).toMatch('No open finding');
      const margin = async () =>
        (await studio.call('get_margin', { query: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' } })).body;
      const before = await margin();
      const settled = (await settle({ kind: 'price_differs' })).body;
      expect(settled).toMatchObject({ seq: 1, finding_count: 1, amount_usd: '0.0100007' });
      await settle({ kind: 'billed_not_delivered' });
      expect(await refuse({ kind: 'billed_not_delivered' })).toMatch('No open finding');
      await settle({ kind: 'theirs_only', note: 'A test in the console' });
      const after = await margin();
      expect(sumNano([after.total.cost_usd]) - sumNano([before.total.cost_usd])).toBe(40_001_000n);
      expect(after.total.corrected_usd).toBe('0.040001');
      expect(after.outside_orders_usd).toBe('1.00');
      const job = (await studio.call('get_upstream_job', { params: { generation_id: dearer } })).body;
      expect(job).toMatchObject({ cost_usd: '0.04', corrected_cost_usd: '0.0500007' });
      const failed = (await studio.call('get_upstream_job', { params: { generation_id: broken } })).body;
      expect(failed.corrections).toMatchObject([{ amount_usd: '0.03', month: '2026-11', note: null }]);

      clock.advance(new Date('2026-12-02T08:00:00.000Z').getTime() - clock.now().getTime());
      const statement = async () =>
        (await studio.call('get_statement', { query: { month: '2026-11', costs: 'true', by: 'person' } })).body;
      const kept = await statement();
      expect(kept.costs).toMatchObject({ cost_usd: '0.120001', corrected_usd: '0.040001' });
      const closed = (await close()).body;
      expect(closed).toMatchObject({ status: 'closed', can_close: false, closed: { seq: 4 } });
      expect(rowOf(closed)).toMatchObject({ status: 'closed', bill_usd: '1.0800007', open_count: 1 });
      expect(await refuseClose()).toMatch('2026-11 is closed');
      expect(await refuse({ kind: 'ours_only', action: 'write_off', note: 'x' })).toMatch('2026-11 is closed');
      const file = billFile(['2026-11-30,m,late,1,0.05', '2026-12-01,m,late,1,0.00']);
      expect((await studio.callError('create_provider_bill', { query: QUERY, file })).error.message).toMatch(
        'is closed',
      );
      const { data: bills } = (await studio.call('list_provider_bills', { query: NOVEMBER })).body;
      const bill_id = bills[0]?.id ?? '';
      expect((await studio.callError('delete_provider_bill', { params: { bill_id } })).status).toBe(422);

      await studio.call('create_provider_bill', { query: { ...QUERY, month: '2026-12' }, file });
      const query = { month: '2026-12' };
      const { data } = (await studio.call('list_closing_findings', { query })).body;
      expect(data).toMatchObject([{ kind: 'billed_later', is_correction: true, due_usd: '0.01' }]);
      await settle({ ...query, kind: 'billed_later' });
      const { costs: later } = (await studio.call('get_statement', { query: { ...query, costs: 'true' } })).body;
      expect(later?.corrected_usd).toBe('0.01');
      const focus = async (period: string) =>
        (
          await service.get().app.inject({
            url: `/v1/billing/focus?period=${period}&view=costs`,
            headers: { authorization: `Bearer ${studio.key}` },
          })
        ).payload;
      expect(await focus('2026-12')).toMatch(/^0\.01,.*,"Adjustment","Correction",/m);
      expect((await focus('2026-11')).match(/"Adjustment",,/g)).toHaveLength(3);
      expect(await statement()).toEqual({ ...kept, is_final: true });
      expect((await studio.call('get_close', { query: NOVEMBER })).body).toEqual(closed);

      const reopen = (reason: string) => studio.call('reopen_month', { params: NOVEMBER, body: { reason } });
      expect((await reopen('The bill was of another account')).body).toMatchObject({ status: 'open', can_close: true });
      expect((await studio.callError('reopen_month', { params: NOVEMBER, body: { reason: 'x' } })).status).toBe(422);
      await studio.call('delete_provider_bill', { params: { bill_id } });
      const leftover = rowOf((await studio.call('get_close', { query: NOVEMBER })).body);
      expect(leftover).toMatchObject({ bill_usd: null, corrected_usd: '1.0400007' });
      expect(leftover.findings.reduce((sum, { open_count }) => sum + open_count, 0)).toBe(3);
    });

    it('refuses every change of what was written, by anybody', async () => {
      const studio = await open();
      await run(studio, { ...JOB, requestId: 'a' });
      await studio.call('create_provider_bill', { query: QUERY, file: billFile(['2026-11-20,m,a,1,0.05']) });
      await studio.call('settle_findings', {
        body: { ...NOVEMBER, ...PROVIDER, kind: 'price_differs', action: 'book_cost' },
      });
      const { db } = service.get().deps;
      for (const statement of [
        `update closing_entries set body = '{}'`,
        'delete from closing_entries',
        'truncate closing_entries cascade',
        'update closing_corrections set amount_nano = 0',
        'delete from closing_corrections',
        `update closing_heads set last_seq = 9`,
        'delete from closing_heads',
        `insert into closing_corrections select organization_id, entry_id, 'fnd_x', month, provider_id, subject, kind,
          generation_id, booked_at, 1 from closing_corrections limit 1`,
      ])
        await expect(db.execute(statement), statement).rejects.toMatchObject({
          cause: { message: expect.stringContaining('append-only') },
        });
    });
  },
);
