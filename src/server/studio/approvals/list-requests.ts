import type { Db } from '#server/platform/db/db.ts';
import { type SQL, and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { ApprovalRequest, OrderRequest } from '#contract/resources/request.ts';
import { listBudgets } from '#server/accounts/billing/budgets.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { parsePageCursor, readSizedPage } from '#server/platform/core/list-page.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { type StoredOrder, requests } from '#server/platform/db/schema/request-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';
import { findRun } from '#server/studio/workflows/runs/find-run.ts';
import { readOrderTags } from './order-tags.ts';

const askers = alias(people, 'askers');
const deciders = alias(people, 'deciders');
const deciderKeys = alias(apiKeys, 'decider_keys');

const { order: _order, media_ids: _media_ids, ...listedColumns } = getTableColumns(requests);

const selectRequests = (db: Db, where: SQL | undefined, limit: number) =>
  db
    .select({
      request: listedColumns,
      // Without the order as it was sent, which can be as large as a body.
      order: sql<Omit<StoredOrder, 'request'> | null>`${requests.order} - 'request'`,
      askerName: sql<string>`coalesce(${askers.name}, ${apiKeys.name})`,
      deciderName: sql<string | null>`coalesce(${deciders.name}, ${deciderKeys.name})`,
    })
    .from(requests)
    .innerJoin(apiKeys, eq(apiKeys.id, requests.created_by))
    .leftJoin(askers, eq(askers.id, apiKeys.person_id))
    .leftJoin(deciderKeys, eq(deciderKeys.id, requests.decided_by))
    .leftJoin(deciders, eq(deciders.id, deciderKeys.person_id))
    .where(where)
    .orderBy(desc(requests.id))
    .limit(limit);

type SelectedRequest = Awaited<ReturnType<typeof selectRequests>>[number];

/** A person's own requests, made with any of their keys. */
export const isOwnRequest = ({ key_id, person }: Pick<Caller, 'key_id' | 'person'>): SQL =>
  person
    ? sql`${requests.created_by} in (select id from api_keys where person_id = ${person.id})`
    : eq(requests.created_by, key_id);

/** Lists requests, newest first: one's own, or everyone's with `reviews.read`. */
export async function listRequests(
  deps: Deps,
  caller: Caller,
  { limit, cursor, status, own }: QueryOf<'list_requests'>,
): Promise<List<ApprovalRequest>> {
  const { organization_id } = caller;
  const scope = { organization_id, list: 'requests' } as const;
  const seesAll = caller.permissions.has('reviews.read') && own !== 'true';
  const filter = and(
    eq(requests.organization_id, organization_id),
    seesAll ? undefined : isOwnRequest(caller),
    status && eq(requests.status, status),
  );
  return readSizedPage(deps.secrets, scope, {
    limit,
    after: parsePageCursor(deps.secrets, scope, cursor),
    read: (before, count) =>
      selectRequests(deps.db, and(filter, before === undefined ? undefined : lt(requests.id, before)), count),
    position: ({ request }) => request.id,
    present: (rows) => presentRequests(deps, caller, rows),
  });
}

/** @throws {ApiError} 404 `not_found`, also for a request of somebody else that the caller may not see */
export async function readRequest(deps: Deps, caller: Caller, id: string): Promise<ApprovalRequest> {
  const visible = caller.permissions.has('reviews.read') ? undefined : isOwnRequest(caller);
  const mine = and(eq(requests.organization_id, caller.organization_id), eq(requests.id, id), visible);
  const [request] = await presentRequests(deps, caller, await selectRequests(deps.db, mine, 1));
  if (!request) throw requestNotFoundError();
  return request;
}

/** What the audit log keeps of a request, so that a sentence can say whose it was and for what. */
export const describeForAudit = ({ kind, amount_usd, created_by, budget, permanent, order }: ApprovalRequest) => ({
  kind,
  amount_usd,
  requested_by: created_by.name,
  ...(budget && { scope: budget.scope, scope_name: budget.scope_name, interval: budget.interval, permanent }),
  ...(order && { type: order.type, task: order.task, model: order.model }),
});

/** Like `readRequest`, with the tags and the whole input of the order. @throws {ApiError} 404 `not_found` */
export async function readRequestDetails(deps: Deps, caller: Caller, id: string): Promise<ApprovalRequest> {
  const request = await readRequest(deps, caller, id);
  if (!request.order) return request;
  const [row] = await deps.db.select({ order: requests.order }).from(requests).where(eq(requests.id, id));
  if (!row?.order) return request;
  const { request: sent } = row.order;
  const input = await readOrderInput(deps.db, caller.organization_id, sent);
  const { shown } = await readOrderTags(deps, caller.organization_id, sent);
  const tags = Object.keys(shown).length > 0 ? { tags: shown } : {};
  return { ...request, order: { ...request.order, ...(input ? { input } : {}), ...tags } };
}

/** The input as it was sent; that of a retry with what it changes. */
async function readOrderInput(
  db: Db,
  organizationId: string,
  order: OrderRequest,
): Promise<Record<string, unknown> | undefined> {
  switch (order.type) {
    case 'generation':
      return order.generation.input;
    case 'workflow_run':
      return order.workflow_run.input;
    case 'batch':
      return order.batch.orders[0]?.input;
    case 'generation_retry': {
      const { generation } = await findGeneration({ db }, organizationId, order.generation_id);
      return generation.input;
    }
    case 'workflow_run_retry': {
      const { run } = await findRun(db, organizationId, order.workflow_run_id);
      return { ...run.input, ...order.inputs };
    }
  }
}

export const requestNotFoundError = () => new ApiError('not_found', 'Request not found.');

async function presentRequests(
  deps: Deps,
  caller: Caller,
  rows: readonly SelectedRequest[],
): Promise<ApprovalRequest[]> {
  const hasBudgets = rows.some(({ request }) => request.budget_id !== null);
  const listed = hasBudgets ? (await listBudgets(deps, caller.organization_id, caller)).data : [];
  const budgets = new Map(listed.map((budget) => [budget.id, budget]));
  return rows.map(({ request, order, askerName, deciderName }) => ({
    id: request.id,
    object: 'request',
    kind: request.kind,
    status: request.status,
    note: request.note,
    amount_usd: formatUsd(request.amount_micro_usd),
    created_by: { id: request.created_by, name: askerName },
    created_at: request.created_at.toISOString(),
    decided_by: request.decided_by === null ? null : { id: request.decided_by, name: deciderName ?? '' },
    decided_at: request.decided_at?.toISOString() ?? null,
    reason: request.reason,
    budget: budgets.get(request.budget_id ?? '') ?? null,
    permanent: request.permanent,
    order,
    generation_id: request.generation_id,
    workflow_run_id: request.workflow_run_id,
    batch_id: request.batch_id,
  }));
}
