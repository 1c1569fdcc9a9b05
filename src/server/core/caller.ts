import type { KeyKind } from '#contract/resources/api-key.ts';

/** The key that authenticated a request, directly or through a session. */
export interface Caller {
  organization_id: string;
  key_id: string;
  key_name: string;
  kind: KeyKind;
  /** SHA-256 of the session's secret, hex; absent if the request was sent with the key itself. */
  session_sha256?: string;
}
