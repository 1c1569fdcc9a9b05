import { eq } from 'drizzle-orm';
import { insecureOrigin } from '#server/core/config.ts';
import { apiKeys } from '#server/db/schema.ts';
import { workflowRuns } from '#server/db/workflow-schema.ts';
import type { Tx } from '#server/db/db.ts';
import type { Deps } from '#server/deps.ts';
import type { CreateGenerationDeps } from '#server/generations/create-generation.ts';
import { parseDefinition } from '../definition/parse-definition.ts';
import type { WorkflowStep, Workflow } from '../definition/workflow.ts';
import type { Scope } from '../expression/template.ts';
import { type RunStepsByKey, type RunRow, isRunFinal, readRunSteps } from '../runs/run-steps.ts';

export type AdvanceDeps = CreateGenerationDeps & Pick<Deps, 'expressions' | 'log'>;

/** A run and how far it is. */
export interface RunState {
  run: RunRow;
  /** Of the key that started it. */
  key_name: string;
  /** Nothing more is placed for a key that was revoked. */
  key_revoked_at: Date | null;
  /** null: it was right when the run began, but the tasks have changed since. */
  workflow: Workflow | null;
  parts: RunStepsByKey;
  /** What the expressions of a step see, by its key, once it was asked for. */
  scopes: Map<string, Promise<Scope>>;
}

/** @returns null for a run that has ended, or never was */
export async function readRunState(
  deps: Pick<Deps, 'config' | 'db' | 'expressions'>,
  run_id: string,
): Promise<RunState | null> {
  const [row] = await deps.db
    .select({ run: workflowRuns, key_name: apiKeys.name, key_revoked_at: apiKeys.revoked_at })
    .from(workflowRuns)
    .innerJoin(apiKeys, eq(apiKeys.id, workflowRuns.created_by))
    .where(eq(workflowRuns.id, run_id));
  if (!row || isRunFinal(row.run)) return null;
  const parts = await readRunSteps(deps, [run_id]);
  return {
    ...row,
    workflow: await loadWorkflow(deps, row.run),
    parts: parts.get(run_id) ?? new Map(),
    scopes: new Map(),
  };
}

/** Of runs that are moved on: the definition of a run stays as it is. */
const workflow_cache = new Map<string, Workflow | null>();
const MAX_CACHED = 200;

async function loadWorkflow(
  { config, expressions }: Pick<Deps, 'config' | 'expressions'>,
  { id, definition, created_by }: RunRow,
): Promise<Workflow | null> {
  const there = workflow_cache.get(id);
  if (there !== undefined) return there;
  const read = await parseDefinition(definition, insecureOrigin(config), (templates) =>
    expressions.readNames(templates, { key_id: created_by, is_run: true }),
  );
  const workflow = read.ok ? read.workflow : null;
  if (workflow_cache.size >= MAX_CACHED) workflow_cache.clear();
  workflow_cache.set(id, workflow);
  return workflow;
}

/**
 * Locks a run that has not ended, so that of all that want to move it one does at a time.
 * @returns null where it has ended meanwhile
 */
export async function lockRun(tx: Tx, run_id: string): Promise<RunRow | null> {
  const [run] = await tx.select().from(workflowRuns).where(eq(workflowRuns.id, run_id)).for('no key update');
  return run && !isRunFinal(run) ? run : null;
}

/**
 * After an act: whether more can be done at once, or something has to end first, which wakes the run again. `full`: the key
 * has as many free generations queued as it may, so that no more of the step can be placed now.
 */
export type StepOutcome = 'look' | 'wait' | 'full';

/** A step of a run that is being moved on. */
export interface StepContext {
  deps: AdvanceDeps;
  state: RunState;
  step: WorkflowStep;
}
