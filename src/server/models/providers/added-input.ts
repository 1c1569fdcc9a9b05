import { encodeInput } from '#contract/added-models/encode-input.ts';
import type { NormalizedModel } from '#contract/added-models/normalize-schema.ts';
import type { EngineJob, ResolvedReference } from '#server/models/engine/engine.ts';

/** Converts the input of a job to what the provider takes. @param nameReference returns what stands for a file */
export const encodeJobInput = (
  model: NormalizedModel,
  { input, references }: Pick<EngineJob, 'input' | 'references'>,
  nameReference: (reference: ResolvedReference) => string,
): Record<string, unknown> =>
  encodeInput(model, input, (path) => {
    const reference = references.find((each) => each.path === path);
    if (!reference) throw new Error(`The job lacks the reference ${path}.`);
    return nameReference(reference);
  });
