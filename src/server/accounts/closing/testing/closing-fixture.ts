import type { ResponseOf } from '#contract/api/endpoints.ts';
import { parseNano } from '#contract/money/money.ts';
import type { TestClock } from '#server/app/testing/test-clock.ts';
import type { TestService } from '#server/app/testing/test-service.ts';
import { PRICED_REQUESTS, SAMPLE_FAILURE } from '#server/accounts/billing/testing/ledger-fixture.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import type { TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { markSubmitting, recordAccepted } from '#server/studio/generations/upstream/upstream-job.ts';

export interface TestJob {
  at: string;
  requestId: string | null;
  costMicroUsd: bigint | null;
  provider?: string;
  connectionId?: string;
  status?: 'succeeded' | 'failed';
  metadata?: Record<string, string>;
}

/** Runs a job at a provider, which completes at a time. @returns its generation */
export async function runJob(
  { deps }: TestService,
  clock: TestClock,
  studio: TestOrganization,
  { at, requestId, costMicroUsd, provider = 'painter', connectionId, status = 'succeeded', metadata }: TestJob,
): Promise<string> {
  clock.advance(new Date(at).getTime() - clock.now().getTime());
  const body = { ...PRICED_REQUESTS[0].body, ...(metadata ? { metadata } : {}) };
  const { id } = (await studio.call('create_generation', { body })).body;
  const lease = await claimGeneration(deps, id);
  if (!lease) throw new Error('It could not be claimed.');
  const cost = { cost_micro_usd: costMicroUsd, cost_basis: costMicroUsd === null ? null : ('list' as const) };
  const completion = { ...cost, handle: undefined };
  await markSubmitting(deps, lease, { name: `${provider}/image`, connection_id: connectionId }, {});
  if (requestId !== null) await recordAccepted(deps, lease, { request_id: requestId });
  if (status === 'failed') await settleFailed(deps, lease, SAMPLE_FAILURE, completion);
  else await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} }, completion);
  return id;
}

/** As a CSV file: date, model, request id, quantity, cost. */
export const billFile = (lines: readonly string[]): Buffer =>
  Buffer.from(['Date,Model,Request ID,Quantity,Cost', ...lines, ''].join('\n'));

type Close = ResponseOf<'get_close'>;

export const rowOf = ({ data }: Close, id = 'file:painter'): Close['data'][number] => {
  const row = data.find(({ provider }) => provider.id === id);
  if (!row) throw new Error(`There is no row of ${id}.`);
  return row;
};

export const sumNano = (amounts: Iterable<string>): bigint =>
  [...amounts].reduce((sum, amount) => sum + parseNano(amount), 0n);
