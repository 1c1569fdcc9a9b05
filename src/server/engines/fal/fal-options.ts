import * as z from 'zod/mini';

/**
 * Options of a model at fal.
 * - `model`: the endpoint's id, such as `fal-ai/flux/dev`.
 * - `request`: JSONata for the endpoint's input; `$file(reference)` uploads a file. Default: the names that most
 *   endpoints share.
 * - `output`: JSONata for the URLs of the files, if they are not in `images`, `image`, `video` or `videos`.
 * - `priority`: of the request in fal's queue.
 * - `expire_after_seconds`: when fal deletes inputs and results.
 * - `storage_url`: where large files are uploaded.
 */
export const falOptions = z.strictObject({
  model: z
    .string()
    .check(
      z.regex(
        /^(?!.*(?:^|\/)(?:\.+|requests)(?:\/|$))[\w.-]+(\/[\w.-]+){1,7}$/,
        'must look like owner/model or owner/model/path',
      ),
    ),
  request: z.optional(z.string()),
  output: z.optional(z.string()),
  priority: z.optional(z.enum(['low', 'normal'])),
  expire_after_seconds: z.optional(z.int().check(z.gte(3_600), z.lte(10 * 365 * 86_400))),
  storage_url: z.optional(
    z.string().check(z.regex(/^https:\/\/[^\s?#@]+$/, 'must look like https://rest.example.com')),
  ),
});
