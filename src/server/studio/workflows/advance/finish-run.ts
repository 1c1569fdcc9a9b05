import type { Deps } from '#server/platform/deps.ts';
import { eq } from 'drizzle-orm';
import { MAX_LISTED_OUTPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import type { GenerationFailure } from '#server/studio/generations/failure.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';
import { type RunStep, itemStatus, stepStatus } from '#server/studio/workflows/runs/run-steps.ts';
import { readStepOutputs } from '#server/studio/workflows/runs/step-outputs.ts';
import { fillTemplates } from './fill-templates.ts';
import { type RunState, lockRun } from './run-state.ts';
import { StepError } from './step-errors.ts';

type RunEnd =
  | { status: 'succeeded'; output: Record<string, unknown>; error: null }
  | { status: 'failed'; output: null; error: GenerationFailure };

export async function finishRun(deps: Deps, state: RunState, workflow: Workflow): Promise<void> {
  const error = runFailure(state, workflow);
  await completeRun(deps, state.run.id, error ? failedEnd(error) : await succeededEnd(deps, state, workflow));
}

export async function completeRun(deps: Deps, runId: string, end: RunEnd): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    if (!(await lockRun(tx, runId))) return;
    await tx
      .update(workflowRuns)
      .set({
        ...end,
        output_excerpt: end.output && createListExcerpt(end.output, MAX_LISTED_OUTPUT_CHARACTERS),
        completed_at: now,
        updated_at: now,
      })
      .where(eq(workflowRuns.id, runId));
  });
}

export const failedEnd = (error: GenerationFailure): RunEnd => ({ status: 'failed', output: null, error });

function runFailure({ run, parts }: RunState, { steps }: Workflow): GenerationFailure | null {
  for (const { key, name } of steps) {
    const part = parts.get(key);
    const status = part && stepStatus(run, part);
    if (part && status === 'failed') return describeStepFailure(run, name, part);
    if (part && status === 'canceled') {
      const reason = part.items.find(({ generation }) => generation?.error)?.generation?.error;
      const message = reason ? `“${name}” was canceled: ${reason.message}` : `“${name}” was canceled.`;
      return { code: 'step_canceled', message, retryable: true };
    }
  }
  return null;
}

function describeStepFailure(run: RunState['run'], name: string, { row, items }: RunStep): GenerationFailure {
  const failures = items.filter((item) => itemStatus(run, item) === 'failed');
  const errors = [row.error, ...failures.map((item) => item.generation?.error ?? item.row.error)].filter(
    (error) => error != null,
  );
  const [first] = errors;
  const many = items.length > 1 ? ` for ${failures.length} of ${items.length}` : '';
  return {
    code: 'step_failed',
    message: `“${name}” failed${many}: ${first?.message ?? 'No reason was given.'}`,
    retryable: errors.some(({ retryable }) => retryable),
  };
}

async function succeededEnd(deps: Deps, state: RunState, workflow: Workflow): Promise<RunEnd> {
  const { run, parts } = state;
  const { output } = workflow.definition;
  const keys = output ? parts.keys() : workflow.result_steps;
  const steps = await readStepOutputs(deps, run, parts, keys);
  if (!output) {
    const assets = Object.values(steps).flatMap((step) => step.output?.assets ?? []);
    return { status: 'succeeded', output: { assets }, error: null };
  }
  try {
    const [value] = await fillTemplates({ deps, state }, [{ template: { json: output } }], {
      input: run.input,
      steps,
    });
    return { status: 'succeeded', output: isObject(value) ? value : {}, error: null };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return failedEnd({
      code: error.code,
      message: `All steps succeeded, but the output could not be built: ${error.message}`,
      retryable: false,
    });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
