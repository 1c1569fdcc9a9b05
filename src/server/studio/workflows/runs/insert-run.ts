import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkOwner } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { workflowItems, workflowRuns, workflowSteps } from '#server/platform/db/schema/workflow-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockKey } from '#server/accounts/keys/lock-key.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import type { TagValues } from '#server/accounts/tags/read-tag-values.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';
import { enqueueRun } from '#server/studio/workflows/enqueue-run.ts';

export interface NewRun {
  workflow: Workflow;
  input: Record<string, unknown>;
  estimate: NonNullable<WorkflowRun['estimate']>;
  skipped: ReadonlySet<string>;
  metadata: Record<string, string> | null;
  tags: TagValues;
  /** For a retry: the run that it repeats, the first run of the chain, and the work that it keeps. */
  retry?: { of: string; chain_id: string; kept: ReusedWork };
}

export interface ReusedWork {
  steps: readonly Omit<typeof workflowSteps.$inferInsert, 'run_id'>[];
  items: readonly Omit<typeof workflowItems.$inferInsert, 'run_id'>[];
}

/** @returns its id @throws {ApiError} 401 if the key was revoked since the request began */
export async function insertRun(
  deps: Deps,
  tx: Tx,
  caller: WorkOwner,
  { workflow, input, estimate, skipped, metadata, tags, retry }: NewRun,
): Promise<string> {
  await lockKey(tx, caller.key_id);
  const now = deps.clock.now();
  const runId = createId('run', now);
  const { definition, steps } = workflow;
  // Includes all needs of each step, so that showing a run requires no parsing of expressions.
  const stepRows = definition.steps.map((step) => ({
    ...step,
    needs: [...(steps.find(({ key }) => key === step.key)?.needs ?? [])],
  }));
  await tx.insert(workflowRuns).values({
    id: runId,
    organization_id: caller.organization_id,
    starter_slug: definition.slug,
    starter_name: definition.name,
    definition: { ...definition, steps: stepRows },
    outline: stepRows.map(({ key, name, task, model = null, needs, for_each }) => {
      return { key, name, task, model, needs, is_list: for_each != null };
    }),
    input,
    input_excerpt: createListExcerpt(input, MAX_LISTED_INPUT_CHARACTERS),
    status: 'queued',
    estimate,
    chain_id: retry?.chain_id ?? runId,
    retry_of: retry?.of ?? null,
    created_by: caller.key_id,
    metadata,
    tags,
    created_at: now,
    updated_at: now,
  });
  const reusedSteps = new Map((retry?.kept.steps ?? []).map((step) => [step.key, step]));
  await tx
    .insert(workflowSteps)
    .values(
      steps.map(({ key }) => ({ ...(reusedSteps.get(key) ?? newStep(key, skipped.has(key), now)), run_id: runId })),
    );
  const items = retry?.kept.items ?? [];
  if (items.length > 0) await tx.insert(workflowItems).values(items.map((item) => ({ ...item, run_id: runId })));
  await enqueueRun(deps, tx, runId);
  return runId;
}

const newStep = (key: string, isSkipped: boolean, now: Date) =>
  isSkipped ? { key, state: 'skipped' as const, ended_at: now } : { key, state: 'waiting' as const };
