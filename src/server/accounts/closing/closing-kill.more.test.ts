import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Close, CloseRow } from '#contract/resources/closing.ts';
import type { Verification } from '#contract/resources/audit.ts';
import { itOnPostgres, killCount } from '#server/app/testing/kill-tests.ts';
import { prepareServiceProcess, type ServiceProcess } from '#server/app/testing/service-process.ts';

const MONTH = '2026-01';
const LINES = 5_000;
const SCOPE = { month: MONTH, provider_id: 'file:any' };
/** Each amount is a cent and a billionth, so that rounding anywhere would show in the sum. */
const BILL = [
  'Date,Model,Request ID,Cost',
  ...Array.from({ length: LINES }, (_, index) => `${MONTH}-05,m,request-${index},0.010000001`),
  '',
].join('\n');
const SUM = '50.000005';

describe('after being killed during the close of a month, the service', () => {
  let service: ServiceProcess;
  beforeEach(async () => {
    service = await prepareServiceProcess();
  });
  afterEach(() => service.remove());

  const addBill = async () => {
    const path = `/v1/billing/bills?provider_id=file:any&month=${MONTH}&filename=bill.csv`;
    const headers = { authorization: `Bearer ${service.key}` };
    const response = await fetch(service.url(path), { method: 'POST', headers, body: BILL });
    if (!response.ok) throw new Error(await response.text());
  };
  const settle = () =>
    service.post('/v1/billing/close/settlements', {
      ...SCOPE,
      kind: 'theirs_only',
      action: 'book_cost',
      note: 'The console',
    });
  const closeMonth = () => service.post(`/v1/billing/close/${MONTH}/close`);
  const readClose = () => service.get<Close>(`/v1/billing/close?month=${MONTH}`);
  const readRow = async (): Promise<CloseRow | undefined> =>
    (await readClose()).data.find(({ provider }) => provider.id === SCOPE.provider_id);

  /**
   * Kills the process at a random moment of the work, again and again, and lets it end at last.
   * @param isDone whether all of it happened; fails if only a part did
   */
  async function killDuring(databaseUrl: string | null, work: () => Promise<unknown>, isDone: () => Promise<boolean>) {
    let lastMs = 1_500;
    for (let kills = 0; kills < killCount(2) && !(await isDone()); kills += 1) {
      const began = performance.now();
      const result = work().then(
        () => (lastMs = performance.now() - began),
        () => undefined,
      );
      await Promise.race([result, wait(Math.random() * lastMs)]);
      await service.stop('SIGKILL');
      await result;
      await service.start(databaseUrl);
      expect(await service.get<Verification>('/v1/billing/verification')).toMatchObject({ ok: true });
    }
    if (!(await isDone())) await work();
    expect(await isDone()).toBe(true);
  }

  async function leavesNothingOrTheWhole(databaseUrl: string | null): Promise<void> {
    await service.start(databaseUrl);
    await killDuring(databaseUrl, addBill, async () => {
      const row = await readRow();
      if (row === undefined) return false;
      expect(row).toMatchObject({ bill_count: 1, bill_usd: SUM, difference_usd: SUM, open_count: LINES });
      return true;
    });
    await killDuring(databaseUrl, settle, async () => {
      const row = await readRow();
      const isSettled = row?.open_count === 0;
      expect(row).toMatchObject(
        isSettled
          ? { corrected_usd: SUM, open_usd: '0.00', explained_usd: SUM }
          : { corrected_usd: '0.00', open_usd: SUM, open_count: LINES },
      );
      return isSettled;
    });
    await killDuring(databaseUrl, closeMonth, async () => {
      const { status, closed, can_close } = await readClose();
      expect([status, can_close, closed?.seq]).toEqual(closed ? ['closed', false, 2] : ['open', true, undefined]);
      return closed !== null;
    });
    const { data } = await service.get<{ data: unknown[] }>('/v1/audit-events?action=closing');
    expect(data).toHaveLength(2);
  }

  it('has nothing of it, or the whole', () => leavesNothingOrTheWhole(null), 900_000);
  itOnPostgres('has nothing of it, or the whole, on PostgreSQL', () => service, leavesNothingOrTheWhole, 900_000);
});
