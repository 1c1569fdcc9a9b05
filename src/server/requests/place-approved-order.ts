import { formatDollars } from '#contract/money.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Caller } from '#server/core/caller.ts';
import type { Tx } from '#server/db/db.ts';
import type { requests } from '#server/db/request-schema.ts';
import { findKeyOwner } from '#server/keys/find-caller.ts';
import { type OrderDeps, type PreparedRequest, prepareOrder } from './prepare-order.ts';

type RequestRow = typeof requests.$inferSelect;
interface Outcome {
  status: 'approved' | 'rejected';
  decided_by: string | null;
  reason: string | null;
  generation_id?: string;
  workflow_run_id?: string;
}

const GONE = 'The person or key that asked can no longer create work.';

/**
 * Places an order in the name of who asked, in the transaction that `complete` opens. What can never succeed rejects the
 * request; missing funds and busy services are thrown, so that it can be approved later.
 */
export async function placeApprovedOrder(
  deps: OrderDeps,
  caller: Caller,
  { created_by, order, amount_micro_usd }: RequestRow,
  complete: (act: (tx: Tx) => Promise<Outcome>) => Promise<void>,
  reason: string | null,
): Promise<void> {
  const reject = (why: string) => complete(async () => ({ status: 'rejected', decided_by: null, reason: why }));
  const owner = await findKeyOwner(deps, created_by, caller.address);
  if (!owner?.permissions.has('work.create') || !order) return reject(GONE);
  try {
    const prepared = await prepareOrder(deps, owner, order.request);
    if (prepared.amount_micro_usd > amount_micro_usd) return await reject(priceRoseReason(amount_micro_usd, prepared));
    await complete(async (tx) => {
      const placed = await prepared.place(tx);
      const result = placed.object === 'generation' ? { generation_id: placed.id } : { workflow_run_id: placed.id };
      return { status: 'approved', decided_by: caller.key_id, reason, ...result };
    });
  } catch (error) {
    if (!(error instanceof ApiError) || !isFinal(error)) throw error;
    await reject(error.code === 'authentication_error' ? GONE : `It could not be placed: ${error.message}`);
  }
}

const FINAL_STATUSES: readonly number[] = [400, 401, 404, 422];
const FINAL_CODES: readonly string[] = ['retry_not_allowed', 'retry_not_latest', 'active_retry_exists'];

const isFinal = ({ status, code }: ApiError): boolean => FINAL_STATUSES.includes(status) || FINAL_CODES.includes(code);

const priceRoseReason = (before: bigint, { amount_micro_usd }: PreparedRequest) =>
  `The price rose from ${formatDollars(before)} to ${formatDollars(amount_micro_usd)}. Ask again at the new price.`;
