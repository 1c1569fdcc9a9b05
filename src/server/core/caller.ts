import type { KeyKind } from '#contract/resources/api-key.ts';

/** Who is calling: the key a request was authenticated with, itself or by a session. */
export interface Caller {
  organization_id: string;
  key_id: string;
  key_name: string;
  kind: KeyKind;
  /** SHA-256 of the session's secret, hex, where the request came with a session rather than the key itself. */
  session_sha256?: string;
}
