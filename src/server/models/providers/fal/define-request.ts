import type { ModelId, TaskId } from '#contract/ids.ts';
import type { InputOf } from '#contract/task-input.ts';
import { configurationError, type ResolvedReference } from '#server/models/engine/engine.ts';
import type { BuildFalRequest, FalRequest } from './fal-request.ts';
import { uniqueSeed } from '#server/models/engine/unique-seed.ts';
import { createReferenceReader } from '#server/models/providers/reference-reader.ts';

/** The references of a job, by field. */
export interface FalReferences {
  readList(this: void, field: string): readonly ResolvedReference[];
  /** Returns a placeholder for the URL of the uploaded file. */
  nameFile(this: void, reference: ResolvedReference): string;
  /** URLs of uploaded files, in order; empty if there are none. */
  listUrls(this: void, field: string): string[];
  /** Undefined if the field has no file. */
  findUrl(this: void, field: string): string | undefined;
}

type Build<Task extends TaskId, Model extends ModelId> = (
  input: InputOf<Task, Model>,
  references: FalReferences,
) => FalRequest;

/**
 * Types a request builder by the tasks and the model that it serves.
 * @param build must use every reference of the job
 */
export const defineFalRequest =
  <Task extends TaskId, Model extends ModelId>(build: Build<Task, Model>): BuildFalRequest =>
  (job, nameReference) => {
    const { readList, assertAllRead } = createReferenceReader(job);
    const listUrls = (field: string) => readList(field).map(nameReference);
    const findUrl = (field: string) => listUrls(field)[0];
    const references = { readList, nameFile: nameReference, listUrls, findUrl };
    const request = build(job.input as InputOf<Task, Model>, references);
    try {
      assertAllRead();
    } catch (error) {
      throw configurationError(String(error));
    }
    return request;
  };

/**
 * The same with a seed by which a lost submit is found. It does not compile for a model whose contract has a `seed`: that of
 * a person would be ignored.
 */
export const defineSeededFalRequest = <Task extends TaskId, Model extends ModelId>(
  build: 'seed' extends keyof InputOf<Task, Model> ? never : Build<Task, Model>,
): BuildFalRequest => {
  const buildRequest = defineFalRequest<Task, Model>(build);
  return (job, nameReference) => {
    const { endpoint, input } = buildRequest(job, nameReference);
    return { endpoint, input: { ...input, seed: uniqueSeed(job.submit_key) } };
  };
};
