import { and, asc, eq, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { formatMoney, formatNano } from '#contract/money/money.ts';
import { hasTags, type SpendingScope } from '#server/accounts/billing/reports/spending-scope.ts';
import { closingCorrections } from '#server/platform/db/schema/closing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import type { FocusRow } from './focus-columns.ts';
import { readPages } from './settling/closing-chain.ts';

type CorrectionRow = Omit<FocusRow, 'view' | 'work' | 'organization' | 'period'> & {
  provider_id: string;
  request_id: string | null;
};

/** Corrections of costs as rows of FOCUS, where a report has them. Decision: FOCUS export */
export async function* readCorrectionRows(
  db: Db,
  organizationId: string,
  { start, end }: FocusRow['period'],
  { key_ids, tags }: Pick<SpendingScope, 'key_ids' | 'tags'>,
): AsyncGenerator<CorrectionRow[]> {
  const { organization_id, entry_id, finding_id, booked_at, generation_id } = closingCorrections;
  const isFiltered = key_ids !== null || tags.size > 0;
  const read = (last: { correction: typeof closingCorrections.$inferSelect } | undefined, limit: number) =>
    db
      .select({
        correction: closingCorrections,
        amount: sql<string>`round(${closingCorrections.amount_nano} / 1000.0)::bigint::text`,
        task: generations.task,
        model: generations.model,
        workflow_run_id: generations.workflow_run_id,
        key_id: generations.created_by,
        tags: generations.tags,
        metadata: generations.metadata,
        key_name: apiKeys.name,
        person_id: people.id,
        person_name: people.name,
        request_id: upstreamJobs.request_id,
      })
      .from(closingCorrections)
      .leftJoin(generations, eq(generations.id, generation_id))
      .leftJoin(upstreamJobs, eq(upstreamJobs.generation_id, generation_id))
      .leftJoin(apiKeys, eq(apiKeys.id, generations.created_by))
      .leftJoin(people, eq(people.id, apiKeys.person_id))
      .where(
        and(
          eq(organization_id, organizationId),
          gte(booked_at, start),
          lt(booked_at, end),
          isFiltered ? isNotNull(generation_id) : undefined,
          key_ids ? inArray(generations.created_by, [...key_ids]) : undefined,
          tags.size > 0 ? hasTags(sql`${generations.tags}`, tags) : undefined,
          last && sql`(${entry_id}, ${finding_id}) > (${last.correction.entry_id}, ${last.correction.finding_id})`,
        ),
      )
      .orderBy(asc(entry_id), asc(finding_id))
      .limit(limit);
  for await (const rows of readPages<Awaited<ReturnType<typeof read>>[number]>(read))
    yield rows.map(({ correction, amount, task, model, workflow_run_id, key_id, request_id, ...names }) => ({
      ...names,
      isOfClosing: true,
      provider_id: correction.provider_id,
      request_id,
      mover_name: null,
      prompt: null,
      cost_micro_usd: null,
      cost_basis: null,
      isCharged: null,
      entry: {
        id: correction.entry_id,
        organization_id: correction.organization_id,
        seq: 0n,
        type: 'ADJUSTMENT',
        amount_micro_usd: 0n,
        available_after_micro_usd: 0n,
        balance_after_micro_usd: 0n,
        generation_id: correction.generation_id,
        task,
        model,
        workflow_run_id,
        description: `Correction by the bill: ${formatMoney(formatNano(correction.amount_nano))}`,
        key_id,
        created_by: null,
        created_at: correction.booked_at,
        hash: '',
      },
      charge: {
        category: 'Adjustment',
        isCorrection: correction.is_correction,
        billed: BigInt(amount),
        effective: BigInt(amount),
        contracted: BigInt(amount),
        sku: null,
        price: null,
        consumed: null,
      },
    }));
}
