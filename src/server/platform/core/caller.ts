import type { KeyKind, Permission, Role } from '#contract/permissions.ts';
import type { KeyScopes } from '#contract/resources/api-key.ts';

/** Who sent a request: a key, or a person with a session. */
export interface Caller {
  organization_id: string;
  /** For a person, the key row that their sessions act as. */
  key_id: string;
  key_name: string;
  kind: KeyKind;
  /** The person who is signed in, or whom the key belongs to; null: a program. */
  person: { id: string; name: string; email: string | null; pending_email?: string | null; role: Role } | null;
  /** Sent with the person's own session: neither with a key of theirs, nor with a session made from one. */
  is_signed_in: boolean;
  permissions: ReadonlySet<Permission>;
  /** null: every task and model. */
  scopes: KeyScopes | null;
  /** Work of others is invisible. Decision: Own work */
  sees_own_work_only: boolean;
  /** Whether the organization has tags. Decision: Tags */
  has_tags: boolean;
  /** Network address of the request. */
  address: string;
  /** Absent if the request was sent with the key itself. */
  session_id?: string;
  /** When the person signed in for this session; absent for keys and sessions that were made from one. */
  signedInAt?: Date;
}

/** The key that work is done and paid for. */
export type WorkOwner = Pick<Caller, 'organization_id' | 'key_id' | 'key_name'> & Partial<Pick<Caller, 'person'>>;
