import { expect } from 'vitest';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { ServiceProcess } from '#server/app/testing/service-process.ts';

const EXPECTED_ENTRIES: Partial<Record<Generation['status'], string[]>> = {
  succeeded: ['RELEASE', 'RESERVE', 'SETTLE'],
  failed: ['RELEASE', 'RESERVE'],
  canceled: ['RELEASE', 'RESERVE'],
};

export async function expectBalancedLedger(service: ServiceProcess, ended: readonly Generation[]): Promise<void> {
  for (const { id, status, usage } of ended) {
    const { data } = await service.get<{ data: LedgerEntry[] }>(`/v1/billing/ledger?generation_id=${id}`);
    expect(data.map(({ type }) => type).sort()).toEqual(usage.amount_usd === '0.00' ? [] : EXPECTED_ENTRIES[status]);
  }
  const charged = ended.filter(({ usage }) => usage.billing_status === 'settled');
  const spent = charged.reduce((sum, { usage }) => sum + Number(usage.amount_usd), 0);
  const summary = await service.get<Record<string, string>>('/v1/billing/summary');
  expect(summary['reserved_usd']).toBe('0.00');
  expect(Number(summary['available_usd'])).toBeCloseTo(100 - spent, 6);
}
