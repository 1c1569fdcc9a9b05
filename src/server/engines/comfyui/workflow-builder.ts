import { asInputOf } from '#contract/task-input.ts';
import type { ResolvedReference } from '../engine.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import type { UpstreamEngineJob } from '../upstream.ts';
import { compileComfyUiWorkflow, type ComfyUiWorkflow } from './compile-workflow.ts';
import { deriveSeed } from './prompt-identity.ts';

/**
 * Builds the workflow of a job.
 * @param nameReference returns a placeholder for a file, which is uploaded afterwards
 */
export type WorkflowBuilder = (
  job: UpstreamEngineJob,
  nameReference: (reference: ResolvedReference) => string,
) => Promise<ComfyUiWorkflow>;

/** Fills in the `{{ expression }}` placeholders of a workflow. @throws {MappingSyntaxError} */
export function createWorkflowBuilder(workflow: ComfyUiWorkflow): WorkflowBuilder {
  const template = compileComfyUiWorkflow(workflow);
  return (job, nameReference) =>
    template(withFileFunction(createMappingContext(job, { seed: readSeed(job) }), job.references, nameReference));
}

/** The seed of the input, else one derived from the submit key. */
export const readSeed = ({ task, input, submit_key }: UpstreamEngineJob): number =>
  asInputOf(task, input).seed ?? deriveSeed(submit_key);
