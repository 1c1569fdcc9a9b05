import { and, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type BudgetScope, isBudgetScope, isSharedScope, parseBudgetScope } from '#contract/money/budget-scope.ts';
import { type AddedModelId, isAddedModelId } from '#contract/ids.ts';
import { MAX_TAG_VALUE_LENGTH } from '#contract/limits.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { Budget, BudgetUpdate } from '#contract/resources/budget.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import { ORGANIZATION_BUDGET, accounts, budgets, tags } from '#server/platform/db/schema/billing-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readBudgetUsage } from './budget-usage.ts';
import { type BudgetRow, compareBudgets, presentBudget } from './present-budget.ts';

const editorKeys = alias(apiKeys, 'editor_keys');
const editors = alias(people, 'editors');

const selectBudgets = (db: Pick<Db | Tx, 'select'>) =>
  db
    .select({
      budget: budgets,
      scope_name: sql<string | null>`coalesce(${people.name}, ${apiKeys.name})`,
      is_scope_removed: sql<boolean>`coalesce(${people.removed_at}, ${apiKeys.revoked_at}) is not null`,
      editor_name: sql<string | null>`coalesce(${editors.name}, ${editorKeys.name})`,
    })
    .from(budgets)
    .leftJoin(apiKeys, sql`${budgets.scope} = 'key:' || ${apiKeys.id}`)
    .leftJoin(people, sql`${budgets.scope} = 'person:' || ${people.id}`)
    .leftJoin(editorKeys, eq(editorKeys.id, budgets.updated_by))
    .leftJoin(editors, eq(editors.key_id, budgets.updated_by));

/**
 * Lists the budgets of an organization, its own first.
 * @param viewer without `billing.read`: lists only what limits their work, without what others spent
 */
export async function listBudgets(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizationId: string,
  viewer?: Caller,
): Promise<List<Budget>> {
  const seesAll = viewer === undefined || viewer.permissions.has('billing.read');
  const own = seesAll ? null : await findOwnScopes(db, viewer);
  const rows = await selectBudgets(db).where(eq(budgets.organization_id, organizationId));
  const data = rows
    .filter(({ budget: { scope } }) => own === null || isSharedScope(scope) || own.has(scope))
    .sort((a, b) => compareBudgets(a.budget, b.budget))
    .map(({ budget, ...names }) => presentBudget(budget, names, clock.now(), seesAll));
  return { object: 'list', data, has_more: false, next_cursor: null };
}

/** Scopes of the caller's person and all their keys, or of the key alone. */
async function findOwnScopes(db: Db, { key_id, person }: Pick<Caller, 'key_id' | 'person'>): Promise<Set<string>> {
  if (!person) return new Set([`key:${key_id}`]);
  const keys = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.person_id, person.id));
  return new Set([`person:${person.id}`, ...keys.map(({ id }) => `key:${id}`)]);
}

/** @throws {ApiError} 404 `not_found` */
export async function findBudget(db: Pick<Db | Tx, 'select'>, organizationId: string, id: string) {
  const [found] = await selectBudgets(db).where(and(eq(budgets.organization_id, organizationId), eq(budgets.id, id)));
  if (!found) throw new ApiError('not_found', 'Budget not found.');
  return found;
}

/**
 * Sets the limit of a scope and interval. The interval's spending so far and current reservations count from the start.
 * @throws {ApiError} 404 `not_found` for a key or person of another organization; 422 for a model, a tag or a value that work can't have
 */
export async function setBudget(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: AuditActor,
  { scope: scopeText, key_id, interval, limit_usd, warn_at_percent, contact }: BudgetUpdate,
): Promise<Budget> {
  const { organization_id } = actor;
  const scope = toScope(scopeText, key_id);
  return db.transaction(async (tx) => {
    const now = clock.now();
    const used = await readBudgetUsage(tx, organization_id, { scope, interval }, now);
    const same = and(
      eq(budgets.organization_id, organization_id),
      eq(budgets.scope, scope),
      eq(budgets.interval, interval),
    );
    const [before] = await tx.select().from(budgets).where(same);
    // A limit can still be changed when the tag no longer has the value.
    if (!before) await assertScopeExists(tx, organization_id, scope);
    const set = {
      ...used,
      limit_micro_usd: parseUsd(limit_usd),
      extra_micro_usd: before?.interval_start === used.interval_start ? before.extra_micro_usd : 0n,
      warn_at_percent,
      contact: contact ?? null,
      updated_at: now,
      updated_by: 'type' in actor ? null : actor.key_id,
    };
    const id = before?.id ?? newBudgetId(scope, interval, now);
    await tx
      .insert(budgets)
      .values({ organization_id, id, scope, interval, ...set })
      .onConflictDoUpdate({ target: [budgets.organization_id, budgets.id], set });
    const { budget, ...names } = await findBudget(tx, organization_id, id);
    const change = {
      action: 'budget.set',
      target: { type: 'budget', id, name: scope },
      before: before && presentLimits(before),
      after: { ...presentLimits(budget), ...describeScope(budget, names.scope_name) },
    } as const;
    await recordAuditEvent(tx, actor, change, now);
    return presentBudget(budget, names, now);
  });
}

/** @throws {ApiError} 404 `not_found` */
export async function deleteBudget(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: AuditActor,
  id: string,
): Promise<void> {
  const { organization_id } = actor;
  await db.transaction(async (tx) => {
    await lockAccount(tx, organization_id);
    const { budget, scope_name } = await findBudget(tx, organization_id, id);
    await tx.delete(budgets).where(and(eq(budgets.organization_id, organization_id), eq(budgets.id, id)));
    const target = { type: 'budget', id, name: budget.scope };
    const before = { ...presentLimits(budget), ...describeScope(budget, scope_name) };
    await recordAuditEvent(tx, actor, { action: 'budget.deleted', target, before }, clock.now());
  });
}

/** Locks the account before its budgets, in the order of the trigger that appends entries. */
export const lockAccount = (tx: Tx, organizationId: string) =>
  tx
    .select({ organization_id: accounts.organization_id })
    .from(accounts)
    .where(eq(accounts.organization_id, organizationId))
    .for('update');

/** Clients know the monthly budgets of the organization and of keys by these ids. */
function newBudgetId(scope: BudgetScope, interval: Budget['interval'], now: Date): string {
  if (interval === 'month' && scope === 'organization') return ORGANIZATION_BUDGET;
  if (interval === 'month' && scope.startsWith('key:')) return scope.slice('key:'.length);
  return createId('bud', now);
}

function toScope(scope: string | undefined, keyId: string | null | undefined): BudgetScope {
  if (scope !== undefined && isBudgetScope(scope)) return scope;
  return keyId == null ? 'organization' : `key:${keyId}`;
}

/** @throws {ApiError} 404 for an unknown person or key; 422 for a model, a tag or a value that work can't have */
async function assertScopeExists(tx: Tx, organizationId: string, scope: BudgetScope): Promise<void> {
  const parsed = parseBudgetScope(scope);
  if (parsed?.type === 'tag') return assertTagValueExists(tx, organizationId, parsed);
  if (parsed?.type === 'model' && isAddedModelId(parsed.id)) return assertModelExists(tx, parsed.id);
  if (parsed?.type !== 'key' && parsed?.type !== 'person') return;
  const table = parsed.type === 'key' ? apiKeys : people;
  const [found] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, parsed.id), eq(table.organization_id, organizationId)));
  if (!found) throw new ApiError('not_found', parsed.type === 'key' ? 'Key not found.' : 'Person not found.');
}

async function assertModelExists(tx: Tx, id: AddedModelId): Promise<void> {
  const [model] = await tx.select({ id: addedModels.id }).from(addedModels).where(eq(addedModels.id, id));
  if (!model) throw scopeError('There is no such model.');
}

/** Otherwise a mistyped budget would look like any other, and limit nothing. */
async function assertTagValueExists(
  tx: Tx,
  organizationId: string,
  { name, value }: { name: string; value: string },
): Promise<void> {
  const [tag] = await tx
    .select()
    .from(tags)
    .where(and(eq(tags.organization_id, organizationId), eq(tags.name, name)));
  if (!tag) throw scopeError(`There is no tag “${name}”. Define it first.`);
  if (tag.values && !tag.values.includes(value)) throw scopeError(`“${tag.label}” has no value “${value}”.`);
  if (value.length > MAX_TAG_VALUE_LENGTH || value.trim() !== value)
    throw scopeError(
      `A value of “${tag.label}” has at most ${MAX_TAG_VALUE_LENGTH} characters and no blanks around it.`,
    );
}

const scopeError = (message: string): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path: 'scope', message }] });

/** What the audit log keeps of a budget. */
export const presentLimits = (row: BudgetRow) => ({
  limit_usd: formatUsd(row.limit_micro_usd),
  extra_usd: formatUsd(row.extra_micro_usd),
  warn_at_percent: row.warn_at_percent,
  contact: row.contact,
});

/** Which budget it is: with `presentLimits` on one side of a change only, so that it is kept. */
export const describeScope = ({ scope, interval }: BudgetRow, scopeName: string | null) => ({
  scope,
  scope_name: scopeName,
  interval,
});

/** The budgets of these scopes. */
export const selectBudgetsOf = (db: Pick<Db | Tx, 'select'>, organizationId: string, scopes: readonly BudgetScope[]) =>
  selectBudgets(db).where(and(eq(budgets.organization_id, organizationId), inArray(budgets.scope, [...scopes])));
