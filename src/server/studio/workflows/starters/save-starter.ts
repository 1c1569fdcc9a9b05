import type { Deps } from '#server/platform/deps.ts';
import { and, count, eq, ne, sql } from 'drizzle-orm';
import type { ErrorDetail } from '#contract/api/errors.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { WORKFLOW_LIMITS, type WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { workflowStarters } from '#server/platform/db/schema/workflow-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { assertMayChange } from '#server/accounts/keys/assert-may-act.ts';
import { parseDefinition } from '#server/studio/workflows/definition/parse-definition.ts';
import { usableModels } from '#server/studio/workflows/definition/step-models.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';
import { findStarter } from './find-starter.ts';
import { presentStarter } from './present-starter.ts';

/** @throws {ApiError} 422 `invalid_request` if it is invalid or its slug is in use; 400 if there are too many */
export async function createStarter(
  deps: Deps,
  caller: Caller,
  newDefinition: WorkflowDefinition,
): Promise<WorkflowStarter> {
  const { definition } = await parseOrThrow(deps, caller, newDefinition);
  if (await findStarter(deps, caller, definition.slug)) throw slugTakenError();
  const now = deps.clock.now();
  const { organization_id, key_id } = caller;
  await deps.db.transaction(async (tx) => {
    await assertRoom(tx, organization_id, definition);
    const row = {
      organization_id,
      slug: definition.slug,
      definition,
      created_by: key_id,
      created_at: now,
      updated_at: now,
    };
    const saved = await tx
      .insert(workflowStarters)
      .values(row)
      .onConflictDoNothing()
      .returning({ slug: workflowStarters.slug });
    if (saved.length === 0) throw slugTakenError();
  });
  return readStarter(deps, caller, definition.slug);
}

/** @throws {ApiError} 404 `not_found`; 422 if it is invalid or names another slug; 400 if there are too many */
export async function updateStarter(
  deps: Deps,
  caller: Caller,
  slug: string,
  newDefinition: WorkflowDefinition,
): Promise<WorkflowStarter> {
  if (newDefinition.slug !== slug)
    throw invalidStarterError([{ path: 'slug', message: 'The slug of a starter can’t be changed.' }]);
  const { definition } = await parseOrThrow(deps, caller, newDefinition);
  const saved = await deps.db.transaction(async (tx) => {
    await assertRoom(tx, caller.organization_id, definition);
    await assertStarterChangeable(tx, caller, slug);
    return tx
      .update(workflowStarters)
      .set({ definition, updated_at: deps.clock.now() })
      .where(and(eq(workflowStarters.organization_id, caller.organization_id), eq(workflowStarters.slug, slug)))
      .returning({ slug: workflowStarters.slug });
  });
  if (saved.length === 0) throw starterNotFoundError();
  return readStarter(deps, caller, slug);
}

/** @throws {ApiError} 401 for a key that changes only what it created itself */
async function assertStarterChangeable(tx: Tx, caller: Caller, slug: string): Promise<void> {
  const { organization_id } = caller;
  const [starter] = await tx
    .select({ created_by: workflowStarters.created_by })
    .from(workflowStarters)
    .where(and(eq(workflowStarters.organization_id, organization_id), eq(workflowStarters.slug, slug)));
  if (starter) assertMayChange(caller, starter);
}

/** Starters of an organization are saved one after another. @throws {ApiError} 400 if there are too many */
async function assertRoom(tx: Tx, organizationId: string, definition: WorkflowDefinition): Promise<void> {
  await tx.select().from(organizations).where(eq(organizations.id, organizationId)).for('no key update');
  const [others] = await tx
    .select({
      count: count(),
      characters: sql<string>`coalesce(sum(length(${workflowStarters.definition}::text)), 0)::text`,
    })
    .from(workflowStarters)
    .where(and(eq(workflowStarters.organization_id, organizationId), ne(workflowStarters.slug, definition.slug)));
  if ((others?.count ?? 0) >= WORKFLOW_LIMITS.saved_starters) {
    throw new ApiError(
      'invalid_request',
      `At most ${WORKFLOW_LIMITS.saved_starters} starters can be saved. Delete one first.`,
    );
  }
  if (Number(others?.characters) + JSON.stringify(definition).length > WORKFLOW_LIMITS.saved_starter_characters) {
    throw new ApiError(
      'invalid_request',
      `All starters together can have at most ${WORKFLOW_LIMITS.saved_starter_characters.toLocaleString('en-US')} characters of JSON.`,
    );
  }
}

/** Its runs have their own copy of the definition. @throws {ApiError} 404 `not_found` */
export async function deleteStarter({ db, clock }: Deps, caller: Caller, slug: string): Promise<void> {
  await db.transaction(async (tx) => {
    await assertStarterChangeable(tx, caller, slug);
    const [deleted] = await tx
      .delete(workflowStarters)
      .where(and(eq(workflowStarters.organization_id, caller.organization_id), eq(workflowStarters.slug, slug)))
      .returning();
    if (!deleted) throw starterNotFoundError();
    const target = { type: 'workflow_starter', id: slug, name: deleted.definition.name };
    await recordAuditEvent(tx, caller, { action: 'workflow.deleted', target }, clock.now());
  });
}

export async function readStarter(deps: Deps, caller: Caller, slug: string): Promise<WorkflowStarter> {
  const starter = await findStarter(deps, caller, slug);
  if (!starter) throw starterNotFoundError();
  return presentStarter(deps, caller, starter, { whole: true });
}

async function parseOrThrow(
  { config, expressions, offering }: Deps,
  caller: Caller,
  definition: WorkflowDefinition,
): Promise<Workflow> {
  const read = await parseDefinition(
    definition,
    ownMediaOrigin(config),
    (templates) => expressions.readNames(templates, caller),
    usableModels(offering.current(), caller),
  );
  if (read.ok) return read.workflow;
  throw invalidStarterError(read.problems.map(({ path, message }) => ({ path, message })));
}

const invalidStarterError = (details: readonly ErrorDetail[]): ApiError =>
  new ApiError('invalid_request', details[0]?.message ?? 'The workflow is not valid.', { status: 422, details });
const slugTakenError = () =>
  invalidStarterError([{ path: 'slug', message: 'A starter with this slug already exists.' }]);
const starterNotFoundError = () => new ApiError('not_found', 'Starter not found.');
