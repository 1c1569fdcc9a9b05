import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, desc, eq } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import {
  type BillColumns,
  MAX_BILL_BYTES,
  type ProviderBill,
  type ProviderBillPreview,
} from '#contract/resources/provider-bill.ts';
import { formatNano } from '#contract/money/money.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { markStale } from '#server/accounts/closing/matching/finding-sums.ts';
import { assertMonthOpen, lockClosings } from '#server/accounts/closing/settling/closing-entries.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { createTurns } from '#server/platform/core/turns.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import type { Deps } from '#server/platform/deps.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { saveBody } from '#server/platform/net/save-body.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { BillFileError } from './bill-file-error.ts';
import { insertLines } from './insert-lines.ts';
import { type ProviderNames, readBill } from './list-bills.ts';
import { type BillMonth, hasBill } from './store-read-bill.ts';
import { openBill, previewBill, rateOf, readBillLines, sumBill } from './read-bill.ts';

/** A file of a million lines takes a core for seconds. */
const turns = createTurns({ perKey: 1, total: 2 });

export interface BillRequest {
  query: QueryOf<'create_provider_bill'>;
  incoming: IncomingMessage;
  signal: AbortSignal;
}

/** Reads a bill without storing it. @throws {ApiError} 413, 422 */
export const previewProviderBill = (
  deps: Deps,
  caller: Caller,
  { query: { provider_id, filename: _filename, ...options }, ...request }: BillRequest,
  providers: ProviderNames,
): Promise<ProviderBillPreview> =>
  withBillFile(deps, caller, request, async (file) => {
    assertProvider(provider_id, providers);
    await assertNotRead(deps, { organization_id: caller.organization_id, provider_id, month: options.month });
    return previewBill(file, options, await readEarlierColumns(deps, caller, provider_id));
  });

/**
 * Stores a bill with its lines and its file. Nothing is changed if anything about it is wrong.
 * @throws {ApiError} 413, 422, also for a closed month @throws {StorageError}
 */
export const addProviderBill = (
  deps: Deps,
  caller: Caller,
  { query: { provider_id, filename, ...options }, ...request }: BillRequest,
  providers: ProviderNames,
): Promise<ProviderBill> =>
  withBillFile(deps, caller, request, async (path, sha256) => {
    const { organization_id } = caller;
    assertProvider(provider_id, providers);
    await assertNotRead(deps, { organization_id, provider_id, month: options.month });
    await assertNew(deps, organization_id, sha256);
    const file = await openBill(path, options, await readEarlierColumns(deps, caller, provider_id));
    const { currency, amountNano, lineCount, usdNano } = await sumBill(file, options);
    const rateNano = rateOf(currency, options);
    const now = deps.clock.now();
    const id = createId('bil', now);
    const storage_key = `bills/${id}.csv`;
    const { size_bytes } = await deps.storage.put(storage_key, { file: path });
    try {
      await withLongStatements(() =>
        deps.db.transaction(async (tx) => {
          await lockClosings(tx, organization_id);
          await assertMonthOpen(tx, organization_id, options.month);
          const row = {
            id,
            organization_id,
            provider_id,
            month: options.month,
            format: file.format,
            columns: file.columns,
            filename,
            storage_key,
            size_bytes,
            sha256,
            currency,
            usd_rate: currency === 'USD' ? null : (options.usd_rate ?? null),
            line_count: lineCount,
            amount_nano: amountNano,
            usd_nano: usdNano ?? amountNano,
            created_by: caller.key_id,
            created_at: now,
          };
          const added = await tx
            .insert(providerBills)
            .values(row)
            .onConflictDoNothing()
            .returning({ id: providerBills.id });
          if (added.length === 0) throw duplicateError();
          await markStale(tx, { organization_id, provider_id });
          await insertLines(tx, { organization_id, bill_id: id, rateNano }, readBillLines(file, options));
          const after = {
            month: options.month,
            filename,
            sha256,
            line_count: lineCount,
            usd: formatNano(row.usd_nano),
          };
          const target = { type: 'provider_bill', id, name: filename };
          await recordAuditEvent(tx, caller, { action: 'provider_bill.added', target, after }, now);
        }),
      );
    } catch (error) {
      // The sweeper deletes what this can't.
      await deps.storage.delete(storage_key).catch(() => undefined);
      throw error;
    }
    return readBill(deps, organization_id, id, providers);
  });

/** Receives the file into a folder whose leftovers the service removes, and runs `work` with its path and hash. */
async function withBillFile<T>(
  { config }: Deps,
  { key_id }: Caller,
  { incoming, signal }: Omit<BillRequest, 'query'>,
  work: (file: string, sha256: string) => Promise<T>,
): Promise<T> {
  const endTurn = await turns.take(key_id, signal);
  const folder = join(config.mediaDir, 'tmp', 'uploads');
  const file = join(folder, `bill-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true }).catch(throwUnavailable);
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await saveBody(hashed(), incoming.headers['content-length'] ?? null, file, MAX_BILL_BYTES);
    return await work(file, hash.digest('hex'));
  } catch (error) {
    throw toBillError(error);
  } finally {
    endTurn();
    await rm(file, { force: true });
  }
}

function toBillError(error: unknown): unknown {
  if (error instanceof BillFileError) return invalidBill(error.message, error);
  if (!(error instanceof OutboundError)) return error;
  if (error.code === 'too_large') return new ApiError('invalid_request', error.message, { status: 413, cause: error });
  return invalidBill('The file did not arrive completely.', error);
}

const invalidBill = (message: string, cause?: unknown): ApiError =>
  new ApiError('invalid_request', message, { status: 422, cause });

const duplicateError = (): ApiError => invalidBill('This file is stored already: look for it in the list of bills.');

function assertProvider(id: string, providers: ProviderNames): void {
  if (!id.startsWith('file:') && !providers.has(id)) throw invalidBill('There is no such provider.');
}

async function assertNotRead({ db }: Deps, about: BillMonth): Promise<void> {
  if (await hasBill(db, about, 'read'))
    throw invalidBill('This month’s bill is read from the provider. Delete it first, so that nothing counts twice.');
}

async function assertNew({ db }: Deps, organization_id: string, sha256: string): Promise<void> {
  const [stored] = await db
    .select({ id: providerBills.id })
    .from(providerBills)
    .where(and(eq(providerBills.organization_id, organization_id), eq(providerBills.sha256, sha256)));
  if (stored) throw duplicateError();
}

/** What was chosen for the provider's last file. */
async function readEarlierColumns(
  { db }: Deps,
  { organization_id }: Caller,
  provider_id: string,
): Promise<BillColumns | null> {
  const { organization_id: organization, provider_id: provider, format, columns, id } = providerBills;
  const [last] = await db
    .select({ columns })
    .from(providerBills)
    .where(and(eq(organization, organization_id), eq(provider, provider_id), eq(format, 'csv')))
    .orderBy(desc(id))
    .limit(1);
  return last?.columns ?? null;
}
