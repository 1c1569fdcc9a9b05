import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { closingFindings } from '#server/platform/db/schema/closing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { isScope, storeSums } from './finding-sums.ts';
import { type BilledNames, nameServices } from './name-services.ts';
import { nameFinding, type Pair, roundingLimit } from './name-finding.ts';
import { monthPeriod, type MatchScope, type NamedServices, type PairRow, selectPairs } from './select-pairs.ts';

const PAGE_ROWS = 1_000;
/** More of them have request ids. */
const MAX_SERVICES = 2_000;

interface MatchSources {
  names: BilledNames;
  closedMonths: ReadonlySet<string>;
}

/**
 * Matches the bills of a month and provider with its jobs, and replaces the findings. Memory does not grow with either:
 * the database joins them, and pages of pairs are named one by one.
 */
export async function matchProvider(
  tx: Tx,
  scope: MatchScope,
  { names, closedMonths }: MatchSources,
  unknownCostCount: number,
  now: Date,
): Promise<void> {
  await tx.delete(closingFindings).where(isScope(closingFindings, scope));
  const named = nameServices(await readServices(tx, scope), names);
  for await (const rows of readPairs(tx, scope, named)) {
    const [first] = rows;
    const limitNano = roundingLimit({
      belowHalfCentNano: BigInt(first?.below_half_cent ?? 0),
      belowMicroNano: BigInt(first?.below_micro ?? 0),
    });
    const findings = rows.map((row) => toFinding(row, scope, limitNano, closedMonths, names));
    await tx.execute(sql`insert into ${closingFindings}
      select * from jsonb_populate_recordset(null::closing_findings, ${JSON.stringify(findings)}::jsonb)`);
  }
  await storeSums(tx, scope, { unknown_cost_count: unknownCostCount, matched_at: now });
}

const readServices = async (tx: Tx, { organization_id, month, provider_id }: MatchScope): Promise<string[]> =>
  (
    await readRows<{ service: string }>(
      tx,
      sql`select distinct line.service from provider_bills as bill
        join provider_bill_lines as line on line.organization_id = bill.organization_id and line.bill_id = bill.id
        where bill.organization_id = ${organization_id} and bill.month = ${month} and bill.provider_id = ${provider_id}
          and line.request_id is null and line.category = 'usage' and line.service is not null
        order by 1 limit ${MAX_SERVICES}`,
    )
  ).map(({ service }) => service);

async function* readPairs(tx: Tx, scope: MatchScope, named: NamedServices): AsyncGenerator<PairRow[]> {
  await tx.execute(sql`declare closing_pairs no scroll cursor for ${selectPairs(scope, named)}`);
  for (;;) {
    const rows = await readRows<PairRow>(tx, sql.raw(`fetch ${PAGE_ROWS} from closing_pairs`));
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) break;
  }
  await tx.execute(sql`close closing_pairs`);
}

const toNano = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

function toPair(row: PairRow, { provider_id }: MatchScope): Pair {
  const { line_count, bill_nano, category, line_month, job_count, elsewhere_cost_nano } = row;
  return {
    lines:
      line_count === 0 || category === null || line_month === null
        ? null
        : {
            count: line_count,
            billNano: BigInt(bill_nano ?? 0),
            quantityNano: toNano(row.quantity_nano),
            category,
            month: line_month,
            hasRequest: row.has_request,
          },
    jobs:
      job_count === 0
        ? null
        : {
            count: job_count,
            costNano: toNano(row.cost_nano),
            quantityNano: toNano(row.our_quantity_nano),
            status: row.status,
            isTimeout: row.is_timeout,
            hasListPrice: row.has_list_price,
            billedIn: row.billed_in,
          },
    elsewhere:
      elsewhere_cost_nano === null
        ? null
        : {
            month: row.elsewhere_month,
            isSameProvider: row.elsewhere_provider === provider_id,
            costNano: BigInt(elsewhere_cost_nano),
            isCarried: row.is_carried,
          },
    bookedNano: BigInt(row.booked_nano),
  };
}

/** As a row of `closing_findings`, in JSON. */
function toFinding(
  row: PairRow,
  scope: MatchScope,
  limitNano: bigint,
  closedMonths: ReadonlySet<string>,
  names: BilledNames,
) {
  const { differenceNano, dueNano, isCorrection, ...named } = nameFinding(toPair(row, scope), limitNano, closedMonths);
  const [bill_id = null, at = null] = row.first_line?.split(' ') ?? [];
  const chargedAt = row.charged_at ?? row.booked_at ?? monthPeriod(scope.month).from.toISOString();
  const texts = [row.request_id, row.generation_id, row.model, ...(names.get(row.model ?? '') ?? []), row.service];
  return {
    ...scope,
    ...named,
    id: findingId(scope, row.subject),
    subject: row.subject,
    generation_id: row.generation_id,
    task: row.task,
    model: row.model || null,
    request_id: row.request_id,
    service: row.service,
    bill_id,
    row: at === null ? null : Number(at),
    line_count: row.line_count,
    job_count: row.job_count,
    charged_at: chargedAt,
    booked_at: clamp(new Date(row.booked_at ?? chargedAt), scope.month).toISOString(),
    bill_nano: row.bill_nano,
    cost_nano: row.cost_nano,
    difference_nano: String(differenceNano),
    size_nano: String(differenceNano < 0n ? -differenceNano : differenceNano),
    due_nano: String(dueNano),
    is_correction: isCorrection,
    search: [...new Set(texts.filter((text) => text))].join('\n').toLowerCase(),
  };
}

function clamp(time: Date, month: string): Date {
  const { from, to } = monthPeriod(month);
  if (time < from) return from;
  return time < to ? time : new Date(to.getTime() - 1);
}

const BASE_32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Like other ids, of a hash: the same in each match. */
function findingId({ month, provider_id }: MatchScope, subject: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([month, provider_id, subject]))
    .digest();
  return `fnd_${Array.from(hash.subarray(0, 26), (byte) => BASE_32[byte % 32]).join('')}`;
}
