import type { Deps } from '#server/platform/deps.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { ApprovalDecision, ApprovalRequest } from '#contract/resources/request.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { requests } from '#server/platform/db/schema/request-schema.ts';
import type { StoredResponse } from '#server/accounts/idempotency/with-idempotency.ts';
import { findKeyOwner } from '#server/accounts/keys/find-caller.ts';
import { type OrderPlan, type PlacedOrder, planOrder } from './plan-order.ts';

export type RequestRow = typeof requests.$inferSelect;

/** What becomes of a request, as it is stored. */
export type Outcome = Partial<Pick<RequestRow, 'generation_id' | 'workflow_run_id' | 'batch_id' | 'reason'>> &
  Pick<RequestRow, 'status' | 'decided_by'> & {
    /** For the audit log only: what an approval is worth. */
    grantedMicroUsd?: bigint;
  };

/** Acts in a transaction while the request is pending, and stores the outcome in it. */
export type CompleteRequest = (act: (tx: Tx) => Promise<Outcome>) => Promise<StoredResponse<ApprovalRequest>>;

/** An order that can be placed, in the name of its owner. */
export interface WaitingOrder {
  owner: Caller;
  plan: OrderPlan;
}

const GONE = 'The person or key that asked can no longer create work.';

/**
 * Places an order in the name of who asked, in the transaction that `complete` opens. What can never succeed rejects the
 * request. Missing funds, a higher price and busy services are thrown, so that it can be approved later.
 */
export async function placeApprovedOrder(
  deps: Deps,
  caller: Caller,
  row: RequestRow,
  decision: ApprovalDecision,
  complete: CompleteRequest,
): Promise<StoredResponse<ApprovalRequest>> {
  const reject = (why: string) => complete(async () => ({ status: 'rejected', decided_by: null, reason: why }));
  const waiting = await planWaitingOrder(deps, row, caller.address);
  if ('problem' in waiting) return reject(waiting.problem);
  const { plan } = waiting;
  assertPriceApproved(row, decision, plan);
  try {
    return await complete(async (tx) => {
      const placed = await plan.write(tx);
      const reason = decision.reason ?? null;
      const grantedMicroUsd = plan.amount_micro_usd;
      return { status: 'approved', decided_by: caller.key_id, reason, grantedMicroUsd, ...toResult(placed) };
    });
  } catch (error) {
    return reject(readFinalProblem(error));
  }
}

function toResult({ object, id }: PlacedOrder): Partial<Outcome> {
  if (object === 'batch') return { batch_id: id };
  return object === 'generation' ? { generation_id: id } : { workflow_run_id: id };
}

/**
 * Validates and prices an order that waits, as who asked would place it now.
 * @returns the reason where it can never be placed @throws {ApiError} 503 where it can be tried again
 */
export async function planWaitingOrder(
  deps: Deps,
  { created_by, order }: Pick<RequestRow, 'created_by' | 'order'>,
  address: string,
): Promise<WaitingOrder | { problem: string }> {
  const owner = await findKeyOwner(deps, created_by, address);
  if (!owner?.permissions.has('work.create') || !order) return { problem: GONE };
  try {
    return { owner, plan: await planOrder(deps, owner, order.request) };
  } catch (error) {
    return { problem: readFinalProblem(error) };
  }
}

const FINAL_STATUSES: readonly number[] = [400, 401, 404, 422];
const FINAL_CODES: readonly string[] = ['retry_not_allowed', 'retry_not_latest', 'active_retry_exists'];

/** @throws the error itself, if the order may still succeed later */
function readFinalProblem(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (!FINAL_STATUSES.includes(error.status) && !FINAL_CODES.includes(error.code)) throw error;
  return error.code === 'authentication_error' ? GONE : `It could not be placed: ${error.message}`;
}

/** @throws {ApiError} 409 `price_changed` if it costs more than was asked for, or than the decision confirms */
function assertPriceApproved(
  { amount_micro_usd: asked, order }: RequestRow,
  { amount_usd }: ApprovalDecision,
  { amount_micro_usd, is_bounded }: OrderPlan,
): void {
  const approved = amount_usd === undefined ? asked : parseUsd(amount_usd);
  const isOpen = !is_bounded && order?.is_bounded !== false && amount_usd === undefined;
  if (amount_micro_usd <= approved && !isOpen) return;
  const cost = `${is_bounded ? '' : 'at least '}${formatMoney(amount_micro_usd)}`;
  const message =
    `It costs ${cost} now, and ${formatMoney(approved)} was approved. Nothing was started. ` +
    'Approve it at the new price.';
  throw new ApiError('price_changed', message);
}
