import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What a signature is for; each purpose has its own key, so that none can stand in for another. */
export type Purpose = 'media-link' | 'cursor';

export interface Secrets {
  /** Keyed hash of a text, base64url. */
  sign(purpose: Purpose, text: string): string;
  /** Whether a signature was made by `sign`; compared in constant time. */
  verify(purpose: Purpose, text: string, signature: string): boolean;
}

/** @param secret_key at least 16 bytes, the same in every process of one installation */
export function createSecrets(secret_key: string | Buffer): Secrets {
  const keys = {
    'media-link': keyFor(secret_key, 'media-link'),
    cursor: keyFor(secret_key, 'cursor'),
  } as const satisfies Record<Purpose, Buffer>;
  const hash = (purpose: Purpose, text: string) => createHmac('sha256', keys[purpose]).update(text).digest();
  return {
    sign: (purpose, text) => hash(purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      const expected = Buffer.from(hash(purpose, text).toString('base64url'));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

const keyFor = (secret_key: string | Buffer, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret_key, '', `emulsion ${purpose}`, 32));
