import * as z from 'zod/mini';
import { validateReferenceUrl } from './reference-url.ts';

const urlSchema = (local_origin: string | null) =>
  z
    .string()
    .check((ctx) => {
      const problem = validateReferenceUrl(ctx.value, local_origin);
      if (problem) ctx.issues.push({ code: 'custom', message: problem, input: ctx.value });
    })
    .register(z.globalRegistry, { format: 'uri', minLength: 1 });

/** `{url}` Spec: Shared input types */
export const referenceUrlSchema = (local_origin: string | null) => z.strictObject({ url: urlSchema(local_origin) });

/** `{url, role}` Spec: Shared input types */
export const referenceMediaSchema = (local_origin: string | null) =>
  z.strictObject({ url: urlSchema(local_origin), role: z._default(z.nullable(z.string()), null) });
