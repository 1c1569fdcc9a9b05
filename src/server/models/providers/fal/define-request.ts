import type { ModelId, TaskId } from '#contract/ids.ts';
import type { InputOf } from '#contract/task-input.ts';
import { configurationError, type ResolvedReference } from '#server/models/engine/engine.ts';
import type { BuildFalRequest, FalRequest } from './fal-request.ts';
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

/**
 * Types a request builder by the tasks and the model that it serves.
 * @param build must use every reference of the job
 */
export const defineFalRequest =
  <Task extends TaskId, Model extends ModelId>(
    build: (input: InputOf<Task, Model>, references: FalReferences, submit_key: string) => FalRequest,
  ): BuildFalRequest =>
  (job, nameReference) => {
    const { readList, assertAllRead } = createReferenceReader(job);
    const listUrls = (field: string) => readList(field).map(nameReference);
    const findUrl = (field: string) => listUrls(field)[0];
    const references = { readList, nameFile: nameReference, listUrls, findUrl };
    const request = build(job.input as InputOf<Task, Model>, references, job.submit_key);
    try {
      assertAllRead();
    } catch (error) {
      throw configurationError(String(error));
    }
    return request;
  };
