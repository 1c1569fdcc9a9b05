import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import type { SpendingGroup } from '#contract/money/ledger.ts';
import type { Statement } from '#contract/resources/audit.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { GENESIS_HASH } from '#server/platform/db/schema/billing-schema.ts';
import { type AuditRow, findAuditHead, readAuditEvents } from '#server/accounts/audit/read-events.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import { packClosings, readPackedClosings } from '#server/accounts/closing/pack-closing.ts';
import { exportFocus } from '#server/accounts/closing/export-focus.ts';
import { exportLedger, readTagNames } from '#server/accounts/billing/ledger/export-ledger.ts';
import { resolveSeqRange } from '#server/accounts/billing/ledger/ledger-filter.ts';
import { readPricesInForce } from '#server/accounts/billing/reports/price-books.ts';
import { readLedgerEntries } from '#server/accounts/billing/ledger/stream-entries.ts';
import { formatStatement } from '#server/accounts/billing/reports/format-statement.ts';
import { findEntryAt, readStatement } from '#server/accounts/billing/reports/statement.ts';
import {
  addCorrection,
  addEntryCost,
  type CostSums,
  NO_COST_SUMS,
  presentCostSums,
} from '#server/accounts/billing/reports/cost-sums.ts';
import { presentLedgerEntry } from '#server/accounts/billing/ledger/present-ledger-entry.ts';
import { inLongSnapshot } from '#server/accounts/billing/reports/summary.ts';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { auditLine, ledgerLine } from './canonical-lines.ts';
import { renderStatementPdf } from './statement-pdf.ts';

export interface PackPeriod {
  /** First instant, UTC. */
  from: Date;
  /** First instant after it. */
  to: Date;
  /** UTC, such as `2026-11`. */
  months: readonly string[];
  /** Names of connected providers, by id of the connection. */
  providers: ReadonlyMap<string, string>;
}

/**
 * Streams a ZIP with everything that an auditor needs of a period: ledger, statements, prices, refunds, audit log,
 * verification, checksums, and a program that recomputes them without Emulsion. Memory does not grow with the ledger.
 * At the end an event of the audit log records the checksums, which anchors also what no chain covers.
 */
export function createAuditPack(deps: Deps, caller: Caller, period: PackPeriod, signal: AbortSignal): Readable {
  return Readable.from(makeZip(packFiles(deps, caller, period, signal)));
}

type Text = AsyncIterable<string | Uint8Array> | Iterable<string>;

async function* packFiles(
  deps: Deps,
  caller: Caller,
  { from, to, months, providers }: PackPeriod,
  signal: AbortSignal,
): AsyncGenerator<{ name: string; input: AsyncIterable<Uint8Array>; lastModified: Date }> {
  const { organization_id } = caller;
  const checksums = new Map<string, string>();
  const lastModified = deps.clock.now();
  const file = (name: string, text: Text | Uint8Array) => ({
    name,
    lastModified,
    input: hashed(text, signal, (sha256) => checksums.set(name, sha256)),
  });
  const seesCosts = caller.permissions.has('costs.read');
  const bounds = { created_after: from.toISOString(), created_before: to.toISOString(), seesCosts };
  // One moment: entries that are written meanwhile must not be in one file and missing in another.
  const { range, before, last, audit_before, audit_last, statements, tags, prices, closings } = await inLongSnapshot(
    deps.db,
    async (tx) => {
      const snapshot = { ...deps, db: tx };
      const range = await resolveSeqRange(snapshot, organization_id, bounds);
      const statements: Statement[] = [];
      const tags = await readTagNames(snapshot, organization_id);
      const by: SpendingGroup[] = ['person', ...tags.map((name): SpendingGroup => `tag:${name}`)];
      const scope = { organization_id, key_ids: null, tags: new Map() };
      for (const month of months) statements.push(await readStatement(snapshot, scope, { month, by }));
      return {
        range,
        before: await findEntryAt(tx, organization_id, range.first - 1n),
        last: await findEntryAt(tx, organization_id, range.end - 1n),
        audit_before: await findAuditHead(snapshot, organization_id, from),
        audit_last: await findAuditHead(snapshot, organization_id, to),
        statements,
        tags,
        prices: await readPricesInForce(snapshot, from, to),
        closings: seesCosts ? await readPackedClosings(tx, organization_id, months) : null,
      };
    },
  );
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
    ...(closings ? { closing: presentHead(closings.head) } : {}),
    statements: statements.map(({ month, by_type, breakdowns }) => ({ month, by_type, breakdowns })),
  };
  const auditRange = { after: audit_before?.seq ?? 0n, last: audit_last?.seq ?? 0n };
  yield file('README.txt', [README]);
  yield file('verify.mjs', [await readFile(join(import.meta.dirname, 'verify.mjs'), 'utf8')]);
  yield file('pack.json', [toJson(pack)]);
  // Costs of canceled work may become known meanwhile, so statements sum those of the file.
  const costs = new Map(months.map((month): [string, CostSums] => [month, { ...NO_COST_SUMS }]));
  const countCost = (entry: LedgerEntry) => {
    const sums = costs.get(entry.created_at.slice(0, 7));
    if (sums) addEntryCost(sums, entry);
  };
  yield file('ledger.csv', exportLedger(deps, organization_id, bounds, { range, tags, onEntry: countCost }));
  yield file('ledger.jsonl', ledgerLines(deps.db, organization_id, bounds, range));
  yield file('refunds.csv', refundRecords(deps.db, organization_id, bounds, range));
  const onCorrection: Parameters<typeof packClosings>[1]['onCorrection'] = ({ month, generation_id, amount_nano }) => {
    const sums = costs.get(month);
    if (sums) addCorrection(sums, generation_id, amount_nano);
  };
  if (closings)
    for (const [name, content] of await packClosings(deps, { organization_id, months, closings, onCorrection }))
      yield file(name, content);
  for (const { ...statement } of statements) {
    if (seesCosts) statement.costs = presentCostSums(costs.get(statement.month) ?? NO_COST_SUMS);
    yield file(`statements/${statement.month}.csv`, formatStatement(statement));
    yield file(`statements/${statement.month}.pdf`, await renderStatementPdf(statement));
  }
  const scope = { organization_id, key_ids: null, tags: new Map(), seesCosts };
  for (const month of months)
    for (const view of seesCosts ? (['charges', 'costs'] as const) : (['charges'] as const)) {
      const focus = { period: month, view, providers, before: range.end };
      yield file(`focus/${month}-${view}.csv`, exportFocus(deps, scope, focus));
    }
  yield file('price-books.json', [toJson(prices)]);
  yield file('audit-log.jsonl', auditLines(deps.db, organization_id, auditRange));
  yield file('verification.json', [toJson(await verifyLedger(deps, organization_id, { signal }))]);
  yield file(
    'checksums.sha256',
    [...checksums].map(([name, sha256]) => `${sha256}  ${name}\n`),
  );
  yield file('seal.json', [await recordSeal(deps, caller, { from, to, files: Object.fromEntries(checksums) })]);
}

/** Records what was exported as an event of the audit log, and returns the event with the hash before it. */
async function recordSeal(
  { db, clock }: Deps,
  caller: Caller,
  after: { from: Date; to: Date; files: Record<string, string> },
): Promise<string> {
  const change = { action: 'export.sealed', target: { type: 'audit_pack' }, after } as const;
  const last = await db.transaction(async (tx) => {
    await recordAuditEvent(tx, caller, change, clock.now());
    // Others wait until the end of the transaction, so the head is this event.
    return (await findAuditHead({ db: tx }, caller.organization_id))?.seq ?? 0n;
  });
  const events: AuditRow[] = [];
  for await (const rows of readAuditEvents(db, caller.organization_id, { after: last - 2n, last }))
    events.push(...rows);
  const event = events.at(-1);
  if (!event) throw new Error('The event of an audit pack was not found.');
  return `{"previous_hash":"${events.at(-2)?.hash ?? GENESIS_HASH}","event":${auditLine(event).trimEnd()}}\n`;
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const presentHead = (head: { seq: bigint; hash: string } | null | undefined) => ({
  seq: Number(head?.seq ?? 0n),
  hash: head?.hash ?? GENESIS_HASH,
});

async function* hashed(
  text: Text | Uint8Array,
  signal: AbortSignal,
  finish: (sha256: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const part of text instanceof Uint8Array ? [text] : text) {
    signal.throwIfAborted();
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(bytes);
    yield bytes;
  }
  finish(hash.digest('hex'));
}

type LedgerSource = Parameters<typeof readLedgerEntries>;

async function* ledgerLines(...source: LedgerSource): AsyncGenerator<string> {
  for await (const rows of readLedgerEntries(...source)) yield rows.map(({ entry }) => ledgerLine(entry)).join('');
}

async function* refundRecords(...[db, organization_id, filter, range]: LedgerSource): AsyncGenerator<string> {
  yield formatCsvRecord(['seq', 'created_at', 'generation_id', 'task', 'model', 'amount_usd', 'refunded_by', 'reason']);
  for await (const rows of readLedgerEntries(db, organization_id, { ...filter, type: 'REFUND' }, range)) {
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
focus/            each month as FOCUS 1.2: what was charged and, with permission, what providers bill
price-books.json  the prices in force, with the time of each change
closing.jsonl     settlements, closed and reopened months, with everything that their hashes cover (like the next four files,
                  with permission to see costs)
corrections.jsonl corrections of costs, in billionths of dollars, of which the settlements have the SHA-256
bills.jsonl       bills of providers, of which closed months have the SHA-256; bills/ has them as they were received,
                  but those whose file the service has lost
bill-lines.jsonl  their lines
findings.jsonl    what each difference between bill and cost is
audit-log.jsonl   who changed what, with everything that the hashes cover
verification.json the service's own verification of the whole ledger, with the head of the chain
checksums.sha256  SHA-256 of every file
seal.json         the event of the audit log that has these checksums, recorded with the export
verify.mjs        recomputes this pack without Emulsion, and says what it cannot prove: node verify.mjs

Amounts are in US dollars; in .jsonl files in micro-dollars. Times are UTC.
`;
