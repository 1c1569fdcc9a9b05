import type { Deps } from '#server/platform/deps.ts';
import { and, eq, sql } from 'drizzle-orm';
import { parseUsd } from '#contract/money/money.ts';
import type { ApprovalRequest, ApprovalRequestCreate } from '#contract/resources/request.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { findExceededApprovalLimit } from '#server/accounts/billing/approval-limit.ts';
import { listBudgets } from '#server/accounts/billing/budgets.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { requests } from '#server/platform/db/schema/request-schema.ts';
import { findLocalMediaIds } from '#server/studio/assets/find-local-media-ids.ts';
import { lockMedia } from '#server/studio/assets/lock-media.ts';
import {
  type IdempotentRequest,
  type StoredResponse,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { lockKey } from '#server/accounts/keys/lock-key.ts';
import { describeForAudit, readRequest } from './list-requests.ts';
import { planOrder } from './plan-order.ts';

/** Of one person or program, waiting for a decision. */
const MAX_PENDING = 20;

type RequestDraft = Omit<
  typeof requests.$inferInsert,
  'id' | 'organization_id' | 'status' | 'created_by' | 'created_at'
>;

/**
 * Asks for more of a budget, or for an order above the approval limit, which is validated and priced now and again when
 * it is approved. Decision: Approvals
 * @throws {ApiError} 400, 409 and 422 for an order that could not be placed; 400 if it needs no approval; 404; 429
 */
export async function createRequest(
  deps: Deps,
  caller: Caller,
  body: ApprovalRequestCreate,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<StoredResponse<ApprovalRequest>> {
  const stored = idempotentRequest && (await findStoredResponse<ApprovalRequest>(deps, idempotentRequest));
  if (stored) return stored;
  const draft = body.kind === 'budget' ? await draftBudget(deps, caller, body) : await draftOrder(deps, caller, body);
  const { organization_id, key_id } = caller;
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    const now = deps.clock.now();
    const id = createId('req', now);
    const media = await lockMedia(tx, organization_id, draft.media_ids ?? [], 'key share');
    await lockKey(tx, key_id);
    await assertFewPending(tx, caller);
    const mediaIds = media.map((medium) => medium.id);
    const asked = { status: 'pending', created_by: key_id, created_at: now } as const;
    const row = { ...draft, ...asked, id, organization_id, media_ids: mediaIds };
    await tx.insert(requests).values(row);
    const body = await readRequest({ ...deps, db: tx }, caller, id);
    const after = { ...describeForAudit(body), note: row.note, ...(row.budget_id ? { budget_id: row.budget_id } : {}) };
    await recordAuditEvent(tx, caller, { action: 'request.created', target: { type: 'request', id }, after }, now);
    return { status: 201, body };
  });
}

async function draftBudget(
  deps: Deps,
  caller: Caller,
  { kind, budget_id, amount_usd, permanent, note }: Extract<ApprovalRequestCreate, { kind: 'budget' }>,
): Promise<RequestDraft> {
  const { data } = await listBudgets(deps, caller.organization_id, caller);
  if (!data.some(({ id }) => id === budget_id)) throw new ApiError('not_found', 'Budget not found.');
  const amountMicroUsd = parseUsd(amount_usd);
  if (amountMicroUsd === 0n) {
    const message = 'Enter an amount above $0.';
    throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'amount_usd', message }] });
  }
  return { kind, note, budget_id, permanent, amount_micro_usd: amountMicroUsd };
}

async function draftOrder(
  deps: Deps,
  caller: Caller,
  { kind, order, note }: Extract<ApprovalRequestCreate, { kind: 'order' }>,
): Promise<RequestDraft> {
  const plan = await planOrder(deps, caller, order);
  if ((await findExceededApprovalLimit(deps.db, caller, plan)) === null)
    throw new ApiError('invalid_request', 'This order needs no approval. Place it directly.', { status: 400 });
  const { amount_micro_usd, input, summary } = plan;
  const mediaIds = findLocalMediaIds(deps, [input, order]);
  return { kind, note, amount_micro_usd, media_ids: mediaIds, order: { ...summary, request: order } };
}

async function assertFewPending(tx: Tx, { organization_id, key_id }: Caller): Promise<void> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(requests)
    .where(
      and(
        eq(requests.organization_id, organization_id),
        eq(requests.created_by, key_id),
        sql`${requests.status} = 'pending'`,
      ),
    );
  if ((row?.count ?? 0) < MAX_PENDING) return;
  const message = `${MAX_PENDING} of your requests are waiting already. Cancel one, or wait for a decision.`;
  throw new ApiError('rate_limit_exceeded', message, { retry_after_seconds: 60 });
}
