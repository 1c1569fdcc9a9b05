import { createHash, type Hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import { asc, eq } from 'drizzle-orm';
import type { SpendingGroup } from '#contract/ledger.ts';
import type { Statement } from '#contract/resources/audit.ts';
import type { Deps } from '#server/deps.ts';
import { GENESIS_HASH, tags } from '#server/db/billing-schema.ts';
import { findAuditHead, readAuditEvents } from '#server/audit/read-events.ts';
import { formatCsvRecord } from '#server/core/csv.ts';
import { exportLedger } from '../export-ledger.ts';
import { resolveSeqRange } from '../ledger-filter.ts';
import { readPricesInForce } from '../price-books.ts';
import { readLedgerEntries } from '../stream-entries.ts';
import { formatStatement } from '../format-statement.ts';
import { findEntryAt, readStatement } from '../statement.ts';
import { presentLedgerEntry } from '../present-ledger-entry.ts';
import { inLongSnapshot } from '../summary.ts';
import { verifyLedger } from '../verify-ledger.ts';
import { auditLine, ledgerLine } from './canonical-lines.ts';
import { renderStatementPdf } from './statement-pdf.ts';

type PackDeps = Pick<Deps, 'db' | 'clock' | 'offering'>;

export interface PackPeriod {
  /** First instant, UTC. */
  from: Date;
  /** First instant after it. */
  to: Date;
  /** UTC, such as `2026-11`. */
  months: readonly string[];
}

/**
 * Streams a ZIP with everything that an auditor needs of a period: ledger, statements, prices, refunds, audit log,
 * verification, checksums, and a program that recomputes them without Emulsion. Memory does not grow with the ledger.
 */
export function createAuditPack(
  deps: PackDeps,
  organization_id: string,
  period: PackPeriod,
  signal: AbortSignal,
): Readable {
  return Readable.from(makeZip(packFiles(deps, organization_id, period, signal)));
}

type Text = AsyncIterable<string> | Iterable<string>;

async function* packFiles(
  deps: PackDeps,
  organization_id: string,
  { from, to, months }: PackPeriod,
  signal: AbortSignal,
): AsyncGenerator<{ name: string; input: AsyncIterable<Uint8Array>; lastModified: Date }> {
  const checksums: string[] = [];
  const lastModified = deps.clock.now();
  const file = (name: string, text: Text | Uint8Array) => ({
    name,
    lastModified,
    input: hashed(text, signal, (hash) => checksums.push(`${hash.digest('hex')}  ${name}\n`)),
  });
  const bounds = { created_after: from.toISOString(), created_before: to.toISOString() };
  // One moment: entries that are written meanwhile must not be in one file and missing in another.
  const { range, before, last, audit_before, audit_last, statements } = await inLongSnapshot(deps.db, async (tx) => {
    const snapshot = { ...deps, db: tx };
    const range = await resolveSeqRange(snapshot, organization_id, bounds);
    const statements: Statement[] = [];
    const by = await readDimensions(tx, organization_id);
    const scope = { organization_id, key_ids: null, tags: new Map() };
    for (const month of months) statements.push(await readStatement(snapshot, scope, { month, by }));
    return {
      range,
      before: await findEntryAt(snapshot, organization_id, range.first - 1n),
      last: await findEntryAt(snapshot, organization_id, range.end - 1n),
      audit_before: await findAuditHead(snapshot, organization_id, from),
      audit_last: await findAuditHead(snapshot, organization_id, to),
      statements,
    };
  });
  const available = before?.available_after_micro_usd ?? 0n;
  const pack = {
    organization_id,
    from: from.toISOString(),
    to: to.toISOString(),
    created_at: lastModified.toISOString(),
    ledger: {
      opening: {
        ...presentHead(before),
        available_micro_usd: String(available),
        reserved_micro_usd: String((before?.balance_after_micro_usd ?? 0n) - available),
      },
      closing: presentHead(last),
    },
    audit_log: { opening: presentHead(audit_before), closing: presentHead(audit_last) },
    statements: statements.map(({ month, by_type, breakdowns }) => ({ month, by_type, breakdowns })),
  };
  const audit_range = { after: audit_before?.seq ?? 0n, last: audit_last?.seq ?? 0n };
  yield file('README.txt', [README]);
  yield file('verify.mjs', [await readFile(join(import.meta.dirname, 'verify.mjs'), 'utf8')]);
  yield file('pack.json', [toJson(pack)]);
  yield file('ledger.csv', exportLedger(deps, organization_id, bounds, range));
  yield file('ledger.jsonl', ledgerLines(deps, organization_id, bounds, range));
  yield file('refunds.csv', refundRecords(deps, organization_id, bounds, range));
  for (const statement of statements) {
    yield file(`statements/${statement.month}.csv`, formatStatement(statement));
    yield file(`statements/${statement.month}.pdf`, await renderStatementPdf(statement));
  }
  yield file('price-books.json', [toJson(await readPricesInForce(deps, from, to))]);
  yield file('audit-log.jsonl', auditLines(deps, organization_id, audit_range));
  yield file('verification.json', [toJson(await verifyLedger(deps, organization_id, { signal }))]);
  yield file('checksums.sha256', checksums);
}

/** Every statement of a pack says what each person and each value of a tag spent. */
async function readDimensions(db: Pick<Deps['db'], 'select'>, organization_id: string): Promise<SpendingGroup[]> {
  const { name, created_at } = tags;
  const rows = await db
    .select({ name })
    .from(tags)
    .where(eq(tags.organization_id, organization_id))
    .orderBy(asc(created_at), asc(name));
  return ['person', ...rows.map((row): SpendingGroup => `tag:${row.name}`)];
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const presentHead = (head: { seq: bigint; hash: string } | null | undefined) => ({
  seq: Number(head?.seq ?? 0n),
  hash: head?.hash ?? GENESIS_HASH,
});

async function* hashed(
  text: Text | Uint8Array,
  signal: AbortSignal,
  finish: (hash: Hash) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const part of text instanceof Uint8Array ? [text] : text) {
    signal.throwIfAborted();
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(bytes);
    yield bytes;
  }
  finish(hash);
}

type LedgerSource = Parameters<typeof readLedgerEntries>;

async function* ledgerLines(...source: LedgerSource): AsyncGenerator<string> {
  for await (const rows of readLedgerEntries(...source)) yield rows.map(({ entry }) => ledgerLine(entry)).join('');
}

async function* refundRecords(...[deps, organization_id, filter, range]: LedgerSource): AsyncGenerator<string> {
  yield formatCsvRecord(['seq', 'created_at', 'generation_id', 'task', 'model', 'amount_usd', 'refunded_by', 'reason']);
  for await (const rows of readLedgerEntries(deps, organization_id, { ...filter, type: 'REFUND' }, range)) {
    for (const { entry, ...names } of rows) {
      const { seq, created_at, generation_id, task, model, amount_usd, created_by, description } = presentLedgerEntry(
        entry,
        names,
      );
      const by = created_by?.name ?? null;
      yield formatCsvRecord([
        seq ?? null,
        created_at,
        generation_id,
        task ?? null,
        model ?? null,
        amount_usd,
        by,
        description,
      ]);
    }
  }
}

async function* auditLines(...source: Parameters<typeof readAuditEvents>): AsyncGenerator<string> {
  for await (const rows of readAuditEvents(...source)) yield rows.map(auditLine).join('');
}

const README = `Audit pack of Emulsion

pack.json         the period, and where ledger and audit log stood before and after it
ledger.csv        the entries of the period, for spreadsheets
ledger.jsonl      the same entries with everything that their hashes cover
refunds.csv       refunds with their reasons
statements/       a statement for each month by person and by tag, CSV and PDF
price-books.json  the prices in force, with the time of each change
audit-log.jsonl   who changed what, with everything that the hashes cover
verification.json the service's own verification of the whole ledger, with the head of the chain
checksums.sha256  SHA-256 of every file
verify.mjs        recomputes all of this without Emulsion: node verify.mjs

Amounts are in US dollars; in .jsonl files in micro-dollars. Times are UTC.
`;
