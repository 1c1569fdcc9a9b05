import { eq } from 'drizzle-orm';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { parseDefinition } from '#server/studio/workflows/definition/parse-definition.ts';
import { storedModels } from '#server/studio/workflows/definition/step-models.ts';
import type { WorkflowStep, Workflow } from '#server/studio/workflows/definition/workflow.ts';
import type { Scope } from '#server/studio/workflows/expression/template.ts';
import { type RunStepsByKey, type RunRow, isRunFinal, readRunSteps } from '#server/studio/workflows/runs/run-steps.ts';

export interface RunState {
  run: RunRow;
  key_name: string;
  /** Set once the key is revoked; no further work is queued for it. */
  keyRevokedAt: Date | null;
  /** null if the tasks have changed so that the definition is no longer valid. */
  workflow: Workflow | null;
  parts: RunStepsByKey;
  /** Scopes of expressions by step key, built on first use. */
  scopes: Map<string, Promise<Scope>>;
}

export async function readRunState(deps: Deps, runId: string): Promise<RunState | null> {
  const [row] = await deps.db
    .select({ run: workflowRuns, key_name: apiKeys.name, keyRevokedAt: apiKeys.revoked_at })
    .from(workflowRuns)
    .innerJoin(apiKeys, eq(apiKeys.id, workflowRuns.created_by))
    .where(eq(workflowRuns.id, runId));
  if (!row || isRunFinal(row.run)) return null;
  const parts = await readRunSteps(deps, [runId]);
  return {
    ...row,
    workflow: await loadWorkflow(deps, row.run),
    parts: parts.get(runId) ?? new Map(),
    scopes: new Map(),
  };
}

/** The definition of a run never changes, so parsed workflows are cached by run. */
const workflowCache = new Map<string, Workflow | null>();
const MAX_CACHED = 200;

async function loadWorkflow(
  { config, expressions, offering }: Deps,
  { id, definition, created_by, organization_id }: RunRow,
): Promise<Workflow | null> {
  const there = workflowCache.get(id);
  if (there !== undefined) return there;
  const read = await parseDefinition(
    definition,
    ownMediaOrigin(config),
    (templates) => expressions.readNames(templates, { key_id: created_by, isRun: true }),
    storedModels(offering.current(), organization_id),
  );
  const workflow = read.ok ? read.workflow : null;
  if (workflowCache.size >= MAX_CACHED) workflowCache.clear();
  workflowCache.set(id, workflow);
  return workflow;
}

/** Locks an unfinished run, so that only one caller advances it at a time. Returns null if it has a final status. */
export async function lockRun(tx: Tx, runId: string): Promise<RunRow | null> {
  const [run] = await tx.select().from(workflowRuns).where(eq(workflowRuns.id, runId)).for('no key update');
  return run && !isRunFinal(run) ? run : null;
}

/** `look` plans again at once, `wait` waits for a generation, `full`: the key has too many free queued generations. */
export type StepOutcome = 'look' | 'wait' | 'full';

export interface StepContext {
  deps: Deps;
  state: RunState;
  step: WorkflowStep;
}
