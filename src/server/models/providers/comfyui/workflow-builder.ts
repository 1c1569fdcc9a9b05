import { createHash } from 'node:crypto';
import { asInputOf } from '#contract/task-input.ts';
import { configurationError, type ResolvedReference } from '#server/models/engine/engine.ts';
import { withFileFunction } from '#server/models/engine/mapping/build-input-with-files.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import type { PromptOutputOptions } from './comfyui-files.ts';
import { type ComfyUiWorkflow, compileComfyUiWorkflow } from './compile-workflow.ts';

/** @param nameReference returns a placeholder for a file, which is uploaded afterwards */
export type WorkflowBuilder = (
  job: UpstreamEngineJob,
  nameReference: (reference: ResolvedReference) => string,
) => Promise<ComfyUiWorkflow>;

/** How a workflow is run, apart from the way to its server. */
export interface WorkflowRun extends PromptOutputOptions {
  buildWorkflow: WorkflowBuilder;
}

export const INVALID_WORKFLOW: WorkflowRun = {
  buildWorkflow: () => Promise.reject(configurationError('The workflow of this model is missing or not valid.')),
};

/** @throws {MappingSyntaxError} */
export function createWorkflowBuilder(workflow: ComfyUiWorkflow): WorkflowBuilder {
  const template = compileComfyUiWorkflow(workflow);
  return (job, nameReference) =>
    template(withFileFunction(createMappingContext(job, { seed: readSeed(job) }), job.references, nameReference));
}

export const readSeed = ({ task, input, submit_key }: UpstreamEngineJob): number =>
  asInputOf(task, input).seed ?? deriveSeed(submit_key);

const digest = (submitKey: string): Buffer => createHash('sha256').update(submitKey).digest();

/** Derives a prompt id: ComfyUI accepts a lower-case UUID from the client. Version 8 leaves its bits to us. */
export function derivePromptId(submitKey: string): string {
  const bytes = digest(submitKey).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** 0 to 2^31 - 1, the most that partner nodes take; stable, so that ComfyUI serves a repeat from its cache. */
export const deriveSeed = (submitKey: string): number => digest(submitKey).readUInt32BE(16) >>> 1;
