import { and, eq } from 'drizzle-orm';
import { formatUsd, parseUsd } from '#contract/money.ts';
import { startOfInterval } from '#contract/budget-scope.ts';
import type { ApprovalDecision, ApprovalRequest } from '#contract/resources/request.ts';
import { recordAuditEvent } from '#server/audit/record-audit-event.ts';
import { findBudget, lockAccount, presentLimits } from '#server/billing/budgets.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Caller } from '#server/core/caller.ts';
import { budgets } from '#server/db/billing-schema.ts';
import type { Tx } from '#server/db/db.ts';
import { requests } from '#server/db/request-schema.ts';
import type { Deps } from '#server/deps.ts';
import { isOwnRequest, readRequest, requestNotFoundError } from './list-requests.ts';
import { placeApprovedOrder } from './place-approved-order.ts';
import type { OrderDeps } from './prepare-order.ts';

type RequestRow = typeof requests.$inferSelect;
type Outcome = Partial<Pick<RequestRow, 'generation_id' | 'workflow_run_id' | 'reason'>> &
  Pick<RequestRow, 'status' | 'decided_by'>;

const NOT_PENDING = 'This request was already decided or canceled. Reload to see the decision.';

/**
 * Rejects a request, or approves it: the budget is raised, or the order placed in the name of who asked, in the same
 * transaction as the decision. An order that can't be placed any more, or costs more now, is rejected with the reason.
 * Decision: Approvals
 * @throws {ApiError} 404; 409 `request_not_pending`; 402 if funds or a budget do not cover the order, which keeps waiting
 */
export async function decideRequest(
  deps: OrderDeps,
  caller: Caller,
  id: string,
  decision: ApprovalDecision,
): Promise<ApprovalRequest> {
  const [row] = await deps.db
    .select()
    .from(requests)
    .where(and(eq(requests.id, id), eq(requests.organization_id, caller.organization_id)));
  if (!row) throw requestNotFoundError();
  if (row.status !== 'pending') throw notPendingError();
  if (decision.decision === 'reject') {
    const reason = decision.reason ?? null;
    await completeRequest(deps, caller, id, async () => ({ status: 'rejected', decided_by: caller.key_id, reason }));
  } else if (row.kind === 'budget') {
    await completeRequest(deps, caller, id, (tx) => raiseBudget(deps, tx, caller, row, decision));
  } else {
    await placeApprovedOrder(
      deps,
      caller,
      row,
      (act) => completeRequest(deps, caller, id, act),
      decision.reason ?? null,
    );
  }
  return readRequest(deps, caller, id);
}

/** Cancels one's own request. @throws {ApiError} 404; 409 `request_not_pending` */
export async function cancelRequest(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  id: string,
): Promise<ApprovalRequest> {
  const request = await readRequest(deps, caller, id);
  const [owner] = await deps.db
    .select()
    .from(requests)
    .where(and(eq(requests.id, id), isOwnRequest(caller)));
  if (!owner) throw requestNotFoundError();
  if (request.status !== 'pending') throw notPendingError();
  await completeRequest(deps, caller, id, async () => ({ status: 'canceled', decided_by: caller.key_id }));
  return readRequest(deps, caller, id);
}

const notPendingError = () => new ApiError('request_not_pending', NOT_PENDING);

/** Locks the request, acts once while it is pending, and records the outcome in the same transaction. */
async function completeRequest(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  id: string,
  act: (tx: Tx) => Promise<Outcome>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [locked] = await tx
      .select({ status: requests.status })
      .from(requests)
      .where(eq(requests.id, id))
      .for('update');
    if (locked?.status !== 'pending') throw notPendingError();
    const outcome = await act(tx);
    const now = clock.now();
    await tx
      .update(requests)
      .set({ ...outcome, decided_at: now })
      .where(eq(requests.id, id));
    const { decided_by: _decided_by, ...after } = outcome;
    const change = { action: 'request.decided', target: { type: 'request', id }, before: locked, after } as const;
    await recordAuditEvent(tx, caller, change, now);
  });
}

async function raiseBudget(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  caller: Caller,
  request: RequestRow,
  decision: ApprovalDecision,
): Promise<Outcome> {
  const { organization_id, key_id } = caller;
  await lockAccount(tx, organization_id);
  const { budget } = await findBudget(tx, organization_id, request.budget_id ?? '');
  const now = clock.now();
  const amount = decision.amount_usd === undefined ? request.amount_micro_usd : parseUsd(decision.amount_usd);
  const current = startOfInterval(budget.interval, now);
  const is_over = budget.interval_start < current;
  const rolled = is_over ? { interval_start: current, spent_micro_usd: 0n, extra_micro_usd: 0n } : {};
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
      after: { ...presentLimits(next), granted_usd: formatUsd(amount) },
    },
    now,
  );
  return { status: 'approved', decided_by: key_id, reason: decision.reason ?? null };
}
