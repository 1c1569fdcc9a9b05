import * as z from 'zod/mini';

const VERSION = '[0-9a-f]{64}';
const MODEL = '[\\w.-]+/[\\w.-]+';

/**
 * What the operator says of one model at Replicate.
 * - `model`: `owner/name` for an official model, `owner/name:version` or the version alone for all others.
 * - `request`: JSONata for the prediction's `input`, which differs from model to model. `$file(reference)` sends a file.
 * - `output`: JSONata for the files, and perhaps the task's `data`, where they are not just all addresses of the output.
 */
export const replicateOptions = z.strictObject({
  model: z
    .string()
    .check(
      z.regex(
        new RegExp(`^(${MODEL}|${MODEL}:${VERSION}|${VERSION})$`),
        'must look like owner/name or owner/name:version',
      ),
    ),
  request: z.string(),
  output: z.optional(z.string()),
});
