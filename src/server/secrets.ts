import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a signature is for; each purpose has its own key, so that none can stand in for another. */
export type Purpose = 'media-link' | 'archive-link' | 'cursor';
/** What is encrypted; each purpose has its own key here too. */
export type SealedPurpose = 'webhook-secret';

export interface Secrets {
  /** Keyed hash of a text, base64url. */
  sign(purpose: Purpose, text: string): string;
  /** Whether a signature was made by `sign`; compared in constant time. */
  verify(purpose: Purpose, text: string, signature: string): boolean;
  /**
   * Encrypts a text for storage, base64url.
   * @param owner id of what it belongs to: a sealed text that is copied elsewhere can't be opened there
   */
  seal(purpose: SealedPurpose, owner: string, text: string): string;
  /** The text that was sealed; null where it is not of this key and owner, or was changed. */
  open(purpose: SealedPurpose, owner: string, sealed: string): string | null;
}

/** @param secret_key at least 16 bytes, the same in every process of one installation */
export function createSecrets(secret_key: string | Buffer): Secrets {
  const keys = {
    'media-link': keyFor(secret_key, 'media-link'),
    'archive-link': keyFor(secret_key, 'archive-link'),
    cursor: keyFor(secret_key, 'cursor'),
  } as const satisfies Record<Purpose, Buffer>;
  const sealing = { 'webhook-secret': keyFor(secret_key, 'webhook-secret') } as const satisfies Record<
    SealedPurpose,
    Buffer
  >;
  const hash = (purpose: Purpose, text: string) => createHmac('sha256', keys[purpose]).update(text).digest();
  return {
    sign: (purpose, text) => hash(purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      const expected = Buffer.from(hash(purpose, text).toString('base64url'));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    seal: (purpose, owner, text) => seal(sealing[purpose], owner, text),
    open(purpose, owner, sealed) {
      try {
        return open(sealing[purpose], owner, Buffer.from(sealed, 'base64url'));
      } catch {
        return null;
      }
    },
  };
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, tag and cipher text. */
function seal(key: Buffer, owner: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

function open(key: Buffer, owner: string, sealed: Buffer): string {
  const start = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(NONCE_BYTES, start));
  return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString('utf8');
}

const keyFor = (secret_key: string | Buffer, purpose: Purpose | SealedPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret_key, '', `emulsion ${purpose}`, 32));
