import * as z from 'zod/mini';
import { referenceUrlProblem } from './reference-url.ts';

const urlOf = (local_origin: string | null) =>
  z
    .string()
    .check((ctx) => {
      const problem = referenceUrlProblem(ctx.value, local_origin);
      if (problem) ctx.issues.push({ code: 'custom', message: problem, input: ctx.value });
    })
    .register(z.globalRegistry, { format: 'uri', minLength: 1 });

/** `{url}` Spec: Shared input types */
export const referenceUrlInput = (local_origin: string | null) => z.strictObject({ url: urlOf(local_origin) });

/** `{url, role}` Spec: Shared input types */
export const referenceMediaInput = (local_origin: string | null) =>
  z.strictObject({ url: urlOf(local_origin), role: z._default(z.nullable(z.string()), null) });
