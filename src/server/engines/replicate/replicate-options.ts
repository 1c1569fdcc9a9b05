import * as z from 'zod/mini';

const VERSION = '[0-9a-f]{64}';
const MODEL = '[\\w.-]+/[\\w.-]+';

/**
 * Options of a model at Replicate.
 * - `model`: `owner/name` for an official model, else `owner/name:version` or a version id.
 * - `request`: JSONata for the prediction's `input`; `$file(reference)` uploads a file.
 * - `output`: JSONata for the files or `{ files, data }`. Default: all URLs in the output.
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
