import { eq } from 'drizzle-orm';
import { formatMoney, formatUsd } from '#contract/money/money.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';

/** A validated and priced order that is not written yet. */
export interface PricedOrder {
  /** The most that it can cost; the least if that is unknown. */
  amount_micro_usd: bigint;
  /** Whether the most that it can cost is known. */
  is_bounded: boolean;
  /** As it is stored, with defaults. */
  input: Record<string, unknown>;
}

type Price = Pick<PricedOrder, 'amount_micro_usd' | 'is_bounded'>;

/** Only people with the role member are limited, with their sessions and their own keys. Decision: Approvals */
const mayNeedApproval = ({ person }: Pick<Caller, 'person'>): boolean => person?.role === 'member';

/** Returns the limit that an order of this caller exceeds; null if it needs no approval. */
export async function findExceededApprovalLimit(
  db: Pick<Db | Tx, 'select'>,
  { organization_id, person }: Pick<Caller, 'organization_id' | 'person'>,
  { amount_micro_usd, is_bounded }: Price,
): Promise<bigint | null> {
  if (!mayNeedApproval({ person })) return null;
  const [row] = await db
    .select({ limit: organizations.approval_above_micro_usd })
    .from(organizations)
    .where(eq(organizations.id, organization_id));
  const limit = row?.limit ?? null;
  return limit !== null && (amount_micro_usd > limit || !is_bounded) ? limit : null;
}

/** @throws {ApiError} 402 `approval_required` */
export async function assertNeedsNoApproval(tx: Tx, caller: Caller, order: Price): Promise<void> {
  const limit = await findExceededApprovalLimit(tx, caller, order);
  if (limit === null) return;
  const cost = order.is_bounded ? 'costs' : 'costs at least';
  const message =
    `This ${cost} ${formatMoney(order.amount_micro_usd)}. ` +
    `Orders above ${formatMoney(limit)} need an approval of an administrator.`;
  const approval = { needed_usd: formatUsd(order.amount_micro_usd), limit_usd: formatUsd(limit) };
  throw new ApiError('approval_required', message, { approval });
}
