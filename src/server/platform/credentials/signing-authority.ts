import type { SigningCertificate } from '#contract/resources/credentials.ts';

/** Extended key usages that readers accept: signing of C2PA claims, of mail (the only one for older ones), of documents. */
export const SIGNING_USAGES = ['1.3.6.1.4.1.62558.2.1', '1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36'] as const;

/** Signs claims of content credentials. The key stays in this process: what decodes media never sees it. */
export interface ClaimSigner {
  kind: SigningCertificate['kind'];
  /** As the C2PA library names it. */
  alg: 'es256' | 'es384' | 'es512' | 'ps256' | 'ps384' | 'ps512' | 'ed25519';
  /** Bytes that every envelope of this signer has: it is padded to them. */
  reserve_bytes: number;
  /** Name in the certificate, for people. */
  subject: string;
  issuer: string;
  expires_at: Date;
  /**
   * Creates a tagged COSE_Sign1 envelope with the chain, and a time stamp where an authority is set; one that does not
   * respond only costs the time stamp. @param claim bytes of the claim, which the envelope does not contain
   */
  sign(claim: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
}

export interface SigningAuthority {
  /** Also makes the first certificate. @throws {Error} if the stored key can't be decrypted */
  signer(): Promise<ClaimSigner>;
  /**
   * PEM certificates of every issuer of this installation, also of those it signed with before, and the last one of the
   * operator's chain.
   */
  anchors(): Promise<string>;
  /** Host of the time stamp authority; null: none. */
  readonly time_stamp_host: string | null;
}
