import type { KeyKind } from '#contract/resources/api-key.ts';

/** Who is calling: the key a request was authenticated with. */
export interface Caller {
  organization_id: string;
  key_id: string;
  key_name: string;
  kind: KeyKind;
}
