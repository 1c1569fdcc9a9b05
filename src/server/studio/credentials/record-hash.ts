import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '#server/platform/core/canonical-json.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';

const SALT_BYTES = 16;

/** Without the salt, nobody can guess a prompt and compare. */
export const createSalt = (): string => randomBytes(SALT_BYTES).toString('base64url');

/** Salted SHA-256 of what a generation was ordered as, base64url. */
export function hashRecord(
  { id, organization_id, task, model, input, created_at }: GenerationRow,
  salt: string,
): string {
  const record = { id, organization_id, task, model, input, created_at: created_at.toISOString() };
  return createHash('sha256')
    .update(`${salt}\n${canonicalJson(record)}`)
    .digest('base64url');
}
