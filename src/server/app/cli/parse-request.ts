import { InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';

/** @throws an error that names the field */
export function parseRequest<Schema extends z.ZodMiniType>(schema: Schema, request: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, request);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}

export function parsePercent(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError('Enter a whole percentage from 0 to 1000.');
}
