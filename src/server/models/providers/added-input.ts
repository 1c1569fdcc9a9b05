import { encodeInput } from '#contract/added-models/encode-input.ts';
import type { NormalizedModel } from '#contract/added-models/fields/normalize-schema.ts';
import { configurationError, type ResolvedReference } from '#server/models/engine/engine.ts';
import { uniqueSeed } from '#server/models/engine/unique-seed.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';

const MAX_SEED = 2 ** 31 - 1;

/** Whether a model takes any seed of `uniqueSeed`. */
export const takesUniqueSeed = ({ contract }: NormalizedModel): boolean =>
  contract.fields.some(
    (field) =>
      field.name === 'seed' &&
      field.kind === 'integer' &&
      (field.min ?? 0) <= 0 &&
      (field.max ?? MAX_SEED) >= MAX_SEED &&
      field.multiple_of === undefined,
  );

/** Builds what a provider takes for an added model. @throws {EngineError} if a file is missing */
export const encodeJobInput = (
  model: NormalizedModel,
  { input, references }: Pick<UpstreamEngineJob, 'input' | 'references'>,
  nameReference: (reference: ResolvedReference) => string,
): Record<string, unknown> =>
  encodeInput(model, input, (path) => {
    const reference = references.find((each) => each.path === path);
    if (!reference) throw configurationError(`The job has no file for ${path}.`);
    return nameReference(reference);
  });

/** The same with a unique seed where the person left it to the model, so that a lost submit can be found. */
export function encodeAddedInput(
  model: NormalizedModel,
  job: Pick<UpstreamEngineJob, 'input' | 'references' | 'submit_key'>,
  nameReference: (reference: ResolvedReference) => string,
): Record<string, unknown> {
  const encoded = encodeJobInput(model, job, nameReference);
  const needsSeed = typeof encoded['seed'] !== 'number' && takesUniqueSeed(model);
  return needsSeed ? { ...encoded, seed: uniqueSeed(job.submit_key) } : encoded;
}
