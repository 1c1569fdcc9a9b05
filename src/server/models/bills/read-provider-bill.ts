import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import type { ProviderBill } from '#contract/resources/provider-bill.ts';
import type { AuditActor } from '#server/accounts/audit/record-audit-event.ts';
import { readBill } from '#server/accounts/closing/bills/list-bills.ts';
import { hasBill, storeReadBill } from '#server/accounts/closing/bills/store-read-bill.ts';
import { isMonthClosed } from '#server/accounts/closing/settling/closing-entries.ts';
import { matchMonth } from '#server/accounts/closing/matching/match-month.ts';
import { monthPeriod } from '#server/accounts/closing/matching/select-pairs.ts';
import { assertOperator } from '#server/models/connections/manage-providers.ts';
import { readBilledNames } from '#server/models/connections/read-billed-names.ts';
import { readProviderNames } from '#server/models/connections/read-provider-names.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { ApiError, assertFound } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createTurns } from '#server/platform/core/turns.ts';
import { providerBillingKeys } from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { describeBillFailure, fetchBill, readFetchedLines } from './fetch-bill.ts';
import { findBillingKey } from './find-billing-key.ts';

/** A bill of a million lines takes a core for a minute. */
const turns = createTurns({ perKey: 1, total: 2 });

/** Reads the bill of a month now. Decision: Billing keys @throws {ApiError} 400, 401, 404, 422 @throws {StorageError} */
export async function readBillNow(
  deps: Deps,
  caller: Caller,
  { provider_id, month }: { provider_id: string; month: string },
  signal: AbortSignal,
): Promise<ProviderBill> {
  await assertOperator(deps, caller, 'Bills that are read');
  const providers = await readProviderNames(deps.db);
  const { organization_id } = caller;
  const about = { organization_id, provider_id, month };
  if (!providers.has(provider_id)) throw new ApiError('not_found', 'Provider not found.');
  if (!(await findBillingKey(deps.db, provider_id))) throw unreadable('The provider has no billing key.');
  if (monthPeriod(month).from > deps.clock.now()) throw unreadable('This month has not begun.');
  if (await isMonthClosed(deps.db, organization_id, month)) throw unreadable('This month is closed.');
  if (await hasBill(deps.db, about, 'file'))
    throw unreadable('A bill of this month was added as a file. Delete it first, so that nothing counts twice.');
  const read = await readProviderBill(deps, caller, about, signal);
  if ('problem' in read) throw new ApiError('invalid_request', read.problem, { status: 400 });
  return readBill(deps, organization_id, read.id, providers);
}

const unreadable = (message: string): ApiError => new ApiError('invalid_request', message, { status: 422 });

/** Reads and stores the bill of a month. @returns a sentence if that failed, which the connection shows until a read works */
export async function readProviderBill(
  deps: Deps,
  actor: AuditActor,
  about: { organization_id: string; provider_id: string; month: string },
  signal: AbortSignal,
): Promise<{ id: string } | { problem: string }> {
  const { provider_id, month } = about;
  const found = await findBillingKey(deps.db, provider_id);
  assertFound(found, 'Billing key');
  const { billing, connection } = found;
  const preset = findPreset(connection.provider);
  assertFound(preset?.bills, 'Billing key');
  const { bills } = preset;
  const endTurn = await turns.take(provider_id, signal);
  const folder = join(deps.config.mediaDir, 'tmp', 'uploads');
  const file = join(folder, `bill-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true }).catch(throwUnavailable);
    const apiKey = deps.secrets.decrypt('billing-key', provider_id, billing.sealed_key);
    if (apiKey === null)
      return await recordProblem(deps, provider_id, 'The billing key can no longer be read. Enter it again.');
    const period = monthPeriod(month);
    const request = { provider_id, address: connection.address, api_key: apiKey, period, file };
    const sha256 = await fetchBill(deps, bills, request, signal);
    const id = await storeReadBill(deps, actor, {
      ...about,
      filename: `${preset.id}-${month}.jsonl`,
      file,
      sha256,
      created_by: billing.created_by,
      readLines: () => readFetchedLines(bills, period, file),
    });
    await matchMonth(deps, about.organization_id, month, readBilledNames);
    await deps.db
      .update(providerBillingKeys)
      .set({ problem: null, failing_since: null })
      .where(eq(providerBillingKeys.connection_id, provider_id));
    return { id };
  } catch (error) {
    signal.throwIfAborted();
    return await recordProblem(deps, provider_id, describeBillFailure(preset, error));
  } finally {
    endTurn();
    await rm(file, { force: true });
  }
}

async function recordProblem({ db, clock }: Deps, providerId: string, problem: string): Promise<{ problem: string }> {
  const now = clock.now();
  await db
    .update(providerBillingKeys)
    .set({
      problem,
      failing_since: sql`coalesce(${providerBillingKeys.failing_since}, ${now.toISOString()}::timestamptz)`,
    })
    .where(eq(providerBillingKeys.connection_id, providerId));
  return { problem };
}
