import type { AuditActor } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { removePerson } from '#server/accounts/people/remove-person.ts';
import { cancelWorkOfKey } from './revoke-key-and-cancel-work.ts';

/**
 * Removes a person and stops the work of their keys, like a revoked key. Decision: People
 * @returns whether the organization has such a person
 * @throws {ApiError} 422 for `confirm_key`; 409 `last_administrator`
 */
export async function removePersonAndCancelWork(
  deps: Deps,
  actor: AuditActor,
  personId: string,
  confirmKey?: string,
): Promise<boolean> {
  const keys = await removePerson(deps, actor, personId, confirmKey);
  if (!keys) return false;
  for (const key of keys) await cancelWorkOfKey(deps, key);
  return true;
}
