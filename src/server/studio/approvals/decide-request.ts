import { and, eq } from 'drizzle-orm';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import { type BudgetScope, startOfInterval } from '#contract/money/budget-scope.ts';
import type { ApprovalDecision, ApprovalRequest, RequestEstimate } from '#contract/resources/request.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import {
  describeScope,
  findBudget,
  lockAccount,
  presentLimits,
  selectBudgetsOf,
} from '#server/accounts/billing/budgets.ts';
import { compareBudgets, currentUsage, presentBudget } from '#server/accounts/billing/present-budget.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { accounts, budgets } from '#server/platform/db/schema/billing-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { requests } from '#server/platform/db/schema/request-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import {
  type IdempotentRequest,
  type StoredResponse,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { assertMayChange } from '#server/accounts/keys/assert-may-act.ts';
import { describeForAudit, isOwnRequest, readRequest, requestNotFoundError } from './list-requests.ts';
import { readOrderTags } from './order-tags.ts';
import {
  type CompleteRequest,
  type Outcome,
  type RequestRow,
  type WaitingOrder,
  placeApprovedOrder,
  planWaitingOrder,
} from './place-approved-order.ts';

const NOT_PENDING = 'This request was already decided or canceled. Reload to see the decision.';

/**
 * Rejects a request, or approves it: the budget is raised, or the order placed in the name of who asked, in the same
 * transaction as the decision. An order that can't be placed any more is rejected with the reason.
 * Decision: Approvals
 * @throws {ApiError} 404; 409 `request_not_pending` or `price_changed`; 402 if funds or a budget do not cover the order,
 * which keeps waiting
 */
export async function decideRequest(
  deps: Deps,
  caller: Caller,
  id: string,
  decision: ApprovalDecision,
  idempotentRequest?: IdempotentRequest,
): Promise<StoredResponse<ApprovalRequest>> {
  const stored = idempotentRequest && (await findStoredResponse<ApprovalRequest>(deps, idempotentRequest));
  if (stored) return stored;
  const row = await findRequest(deps.db, caller, id);
  if (row.status !== 'pending') throw notPendingError();
  const complete: CompleteRequest = (act) => completeRequest(deps, caller, id, act, idempotentRequest);
  const reason = decision.reason ?? null;
  if (decision.decision === 'reject')
    return complete(async () => ({ status: 'rejected', decided_by: caller.key_id, reason }));
  if (row.kind === 'budget') return complete((tx) => raiseBudget(deps, tx, caller, row, decision));
  return placeApprovedOrder(deps, caller, row, decision, complete);
}

/**
 * Validates and prices an order that waits. Decision: Approvals
 * @throws {ApiError} 404; 409 `request_not_pending`; 422 for a request of more budget; 503
 */
export async function estimateRequest(deps: Deps, caller: Caller, id: string): Promise<RequestEstimate> {
  await readRequest(deps, caller, id);
  const row = await findRequest(deps.db, caller, id);
  if (row.status !== 'pending') throw notPendingError();
  if (row.kind !== 'order') throw new ApiError('invalid_request', 'Only an order has a price.', { status: 422 });
  const waiting = await planWaitingOrder(deps, row, caller.address);
  const object = 'request_estimate';
  if ('problem' in waiting) return { object, amount_usd: null, is_bounded: true, problem: waiting.problem };
  const { amount_micro_usd, is_bounded } = waiting.plan;
  return {
    object,
    amount_usd: formatUsd(amount_micro_usd),
    is_bounded,
    problem: null,
    ...(await readFundsAfter(deps, caller, row, waiting)),
  };
}

/** What the order is paid from. */
async function readFundsAfter(
  { db, clock }: Deps,
  { organization_id, permissions }: Caller,
  { order }: RequestRow,
  { owner, plan }: WaitingOrder,
): Promise<Pick<RequestEstimate, 'available_usd' | 'budgets'>> {
  const { shared } = order ? await readOrderTags({ db }, organization_id, order.request) : { shared: {} };
  const scopes: BudgetScope[] = [
    'organization',
    `key:${owner.key_id}`,
    ...(owner.person ? [`person:${owner.person.id}` as const] : []),
    ...(plan.summary.model ? [`model:${plan.summary.model}` as const] : []),
    ...Object.entries(shared).map(([name, value]) => `tag:${name}=${value}` as const),
  ];
  const [account] = await db.select().from(accounts).where(eq(accounts.organization_id, organization_id));
  const rows = (await selectBudgetsOf(db, organization_id, scopes)).sort((a, b) => compareBudgets(a.budget, b.budget));
  const now = clock.now();
  return {
    available_usd: formatUsd(account?.available_micro_usd ?? 0n),
    budgets: rows.map(({ budget, ...names }) => ({
      budget: presentBudget(budget, names, now, permissions.has('billing.read')),
      left_after_usd: formatUsd(currentUsage(budget, now).left - plan.amount_micro_usd),
    })),
  };
}

/** @throws {ApiError} 404 */
async function findRequest(db: Db, { organization_id }: Caller, id: string): Promise<RequestRow> {
  const [row] = await db
    .select()
    .from(requests)
    .where(and(eq(requests.id, id), eq(requests.organization_id, organization_id)));
  if (!row) throw requestNotFoundError();
  return row;
}

/** Cancels one's own request. @throws {ApiError} 404; 409 `request_not_pending` */
export async function cancelRequest(deps: Deps, caller: Caller, id: string): Promise<ApprovalRequest> {
  const request = await readRequest(deps, caller, id);
  const [owner] = await deps.db
    .select()
    .from(requests)
    .where(and(eq(requests.id, id), isOwnRequest(caller)));
  if (!owner) throw requestNotFoundError();
  assertMayChange(caller, owner);
  if (request.status !== 'pending') throw notPendingError();
  const canceled = { status: 'canceled', decided_by: caller.key_id } as const;
  return (await completeRequest(deps, caller, id, async () => canceled)).body;
}

const notPendingError = () => new ApiError('request_not_pending', NOT_PENDING);

/** Locks the request, acts once while it is pending, and records the outcome in the same transaction. */
async function completeRequest(
  deps: Deps,
  caller: Caller,
  id: string,
  act: (tx: Tx) => Promise<Outcome>,
  idempotentRequest?: IdempotentRequest,
): Promise<StoredResponse<ApprovalRequest>> {
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    const [locked] = await tx
      .select({ status: requests.status })
      .from(requests)
      .where(eq(requests.id, id))
      .for('update');
    if (locked?.status !== 'pending') throw notPendingError();
    const { grantedMicroUsd, ...outcome } = await act(tx);
    const now = deps.clock.now();
    await tx
      .update(requests)
      .set({ ...outcome, decided_at: now })
      .where(eq(requests.id, id));
    const body = await readRequest({ ...deps, db: tx }, caller, id);
    const { decided_by, ...result } = outcome;
    const after = {
      ...describeForAudit(body),
      ...result,
      // Nobody decided: what was approved could not be placed any more.
      ...(decided_by === null ? { is_possible: false } : {}),
      ...(grantedMicroUsd === undefined ? {} : { granted_usd: formatUsd(grantedMicroUsd) }),
    };
    const change = { action: 'request.decided', target: { type: 'request', id }, before: locked, after } as const;
    await recordAuditEvent(tx, caller, change, now);
    return { status: 200, body };
  });
}

async function raiseBudget(
  { clock }: Deps,
  tx: Tx,
  caller: Caller,
  request: RequestRow,
  decision: ApprovalDecision,
): Promise<Outcome> {
  const { organization_id, key_id } = caller;
  await lockAccount(tx, organization_id);
  const { budget, scope_name } = await findBudget(tx, organization_id, request.budget_id ?? '');
  const now = clock.now();
  const amount = decision.amount_usd === undefined ? request.amount_micro_usd : parseUsd(decision.amount_usd);
  const current = startOfInterval(budget.interval, now);
  const isOver = budget.interval_start < current;
  const rolled = isOver ? { interval_start: current, spent_micro_usd: 0n, extra_micro_usd: 0n } : {};
  const next = { ...budget, ...rolled, updated_at: now, updated_by: key_id };
  if (decision.permanent ?? request.permanent) next.limit_micro_usd += amount;
  else next.extra_micro_usd += amount;
  await tx
    .update(budgets)
    .set(next)
    .where(and(eq(budgets.organization_id, organization_id), eq(budgets.id, budget.id)));
  await recordAuditEvent(
    tx,
    caller,
    {
      action: 'budget.set',
      target: { type: 'budget', id: budget.id, name: budget.scope },
      before: presentLimits(budget),
      after: { ...presentLimits(next), ...describeScope(budget, scope_name), granted_usd: formatUsd(amount) },
    },
    now,
  );
  return { status: 'approved', decided_by: key_id, reason: decision.reason ?? null, grantedMicroUsd: amount };
}
