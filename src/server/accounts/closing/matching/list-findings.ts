import { and, desc, eq, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { formatNano, formatUsd, NANO_PER_MICRO } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { ClosingFinding, ClosingFindingDetails } from '#contract/resources/closing-finding.ts';
import { readDimensionNames, labelsOf } from '#server/accounts/billing/reports/dimensions.ts';
import { nameBillProvider } from '#server/accounts/closing/bills/list-bills.ts';
import { isMonthClosed, readClosedMonths } from '#server/accounts/closing/settling/closing-entries.ts';
import { type FindingSettlement, readCorrections } from '#server/accounts/closing/settling/read-corrections.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { closingCorrections, closingFindings } from '#server/platform/db/schema/closing-schema.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type ClosingNames, matchMonth } from './match-month.ts';

type FindingRow = typeof closingFindings.$inferSelect;

/** The largest differences first. @throws {ApiError} 400 for a cursor that was never issued */
export async function listFindings(
  deps: Deps,
  { organization_id }: Caller,
  { limit, cursor, month, provider_id, kind, settled, q }: QueryOf<'list_closing_findings'>,
  names: ClosingNames,
): Promise<List<ClosingFinding>> {
  const { db, secrets } = deps;
  const scope = { organization_id, list: 'closing_findings' } as const;
  const position = parsePageCursor(secrets, scope, cursor);
  const closedMonths = await readClosedMonths(db, organization_id);
  if (!closedMonths.has(month)) await matchMonth(deps, organization_id, month, names.readBilledNames);
  const table = closingFindings;
  const text = q?.trim().toLowerCase();
  const rows = await withLongStatements(() =>
    db
      .select()
      .from(table)
      .where(
        and(
          eq(table.organization_id, organization_id),
          eq(table.month, month),
          provider_id === undefined ? undefined : eq(table.provider_id, provider_id),
          kind === undefined ? undefined : eq(table.kind, kind),
          settled === 'open' ? ne(table.due_nano, 0n) : undefined,
          settled === 'settled' ? and(eq(table.due_nano, 0n), isSettled) : undefined,
          text ? sql`position(${text} in ${table.search}) > 0` : undefined,
          position === undefined ? undefined : isAfter(position),
        ),
      )
      .orderBy(desc(table.size_nano), desc(table.id))
      .limit(limit + 1),
  );
  return presentPage(secrets, scope, {
    rows,
    limit,
    position: ({ size_nano, id }) => `${size_nano} ${id}`,
    present: async (page) =>
      (await presentFindings(deps, page, names, closedMonths.has(month))).map(
        ({ settlements: _settlements, ...finding }) => finding,
      ),
  });
}

/** A finding with all of its settlements. @throws {ApiError} 404 */
export async function readFinding(
  deps: Deps,
  { organization_id }: Caller,
  id: string,
  names: ClosingNames,
): Promise<ClosingFindingDetails> {
  const { db } = deps;
  const isFinding = and(eq(closingFindings.organization_id, organization_id), eq(closingFindings.id, id));
  const [known] = await db.select({ month: closingFindings.month }).from(closingFindings).where(isFinding);
  const isClosed = known !== undefined && (await isMonthClosed(db, organization_id, known.month));
  if (known && !isClosed) await matchMonth(deps, organization_id, known.month, names.readBilledNames);
  const [finding] = await presentFindings(
    deps,
    await db.select().from(closingFindings).where(isFinding),
    names,
    isClosed,
  );
  if (!finding) throw new ApiError('not_found', 'Finding not found.');
  return finding;
}

const isSettled = sql`exists (select from ${closingCorrections}
  where ${and(
    eq(closingCorrections.organization_id, closingFindings.organization_id),
    eq(closingCorrections.month, closingFindings.month),
    eq(closingCorrections.provider_id, closingFindings.provider_id),
    eq(closingCorrections.subject, closingFindings.subject),
  )})`;

function isAfter(position: string): SQL | undefined {
  const [size = '0', id = ''] = position.split(' ');
  const { size_nano, id: column } = closingFindings;
  return or(lt(size_nano, BigInt(size)), and(eq(size_nano, BigInt(size)), lt(column, id)));
}

async function presentFindings(
  { db }: Pick<Deps, 'db'>,
  rows: readonly FindingRow[],
  { providers }: ClosingNames,
  isClosed: boolean,
): Promise<ClosingFindingDetails[]> {
  const [first] = rows;
  if (!first) return [];
  const labelModel = labelsOf('model', await readDimensionNames(db, first.organization_id));
  const settlementsOf = await readSettlements(db, rows);
  return rows.map((row) => ({
    object: 'closing_finding',
    id: row.id,
    month: row.month,
    provider: { id: row.provider_id, name: nameBillProvider(row.provider_id, providers) },
    kind: row.kind,
    generation_id: row.generation_id,
    job_count: row.job_count,
    task: row.task,
    model: row.model === null ? null : { id: row.model, name: labelModel(row.model).name },
    request_id: row.request_id,
    service: row.service,
    line: row.bill_id === null || row.row === null ? null : { bill_id: row.bill_id, row: row.row },
    line_count: row.line_count,
    charged_at: row.charged_at.toISOString(),
    cost_usd: row.cost_nano === null ? null : formatUsd(row.cost_nano / NANO_PER_MICRO),
    bill_usd: row.bill_nano === null ? null : formatNano(row.bill_nano),
    difference_usd: formatNano(row.difference_nano),
    due_usd: formatNano(row.due_nano),
    is_correction: row.is_correction,
    detail: row.detail,
    actions: row.due_nano === 0n || isClosed ? [] : row.actions,
    settled: settlementsOf.get(row.id)?.at(0) ?? null,
    settlements: settlementsOf.get(row.id) ?? [],
  }));
}

/** The settlements of findings in one month, by their ids, newest first. */
async function readSettlements(
  db: Pick<Db, 'select'>,
  rows: readonly FindingRow[],
): Promise<ReadonlyMap<string, FindingSettlement[]>> {
  const [first] = rows;
  if (!first) return new Map();
  const { organization_id, month, provider_id, subject } = closingCorrections;
  const providers = rows.map((row) => row.provider_id);
  const subjects = rows.map((row) => row.subject);
  const isWanted = and(
    eq(organization_id, first.organization_id),
    eq(month, first.month),
    sql`(${provider_id}, ${subject}) in
      (select * from unnest(${sql.param(providers)}::text[], ${sql.param(subjects)}::text[]))`,
  );
  const settlementsOf = new Map<string, FindingSettlement[]>();
  for (const { correction, settlement } of await readCorrections(db, isWanted)) {
    const { finding_id } = correction;
    settlementsOf.set(finding_id, [settlement, ...(settlementsOf.get(finding_id) ?? [])]);
  }
  return settlementsOf;
}
