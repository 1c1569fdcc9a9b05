import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Each purpose has its own key, so that a signature is valid for one purpose only. */
type SigningPurpose = 'media-link' | 'archive-link' | 'cursor' | 'session';
/** Each purpose has its own key. */
type EncryptionPurpose = 'webhook-secret' | 'provider-key' | 'mail' | 'sign-in' | 'share-token' | 'share-item';

export interface Secrets {
  sign(purpose: SigningPurpose, text: string): string;
  verify(purpose: SigningPurpose, text: string, signature: string): boolean;
  /**
   * Encrypts a text for storage, base64url.
   * @param owner id of the owning row: a ciphertext that is copied to another row cannot be decrypted there
   */
  encrypt(purpose: EncryptionPurpose, owner: string, text: string): string;
  /** Decrypts a text; returns null if it was changed or belongs to another key or owner. */
  decrypt(purpose: EncryptionPurpose, owner: string, sealed: string): string | null;
}

/** @param secret_key at least 16 bytes, the same in every process of one installation */
export function createSecrets(secret_key: string | Buffer): Secrets {
  const keys = {
    'media-link': deriveKey(secret_key, 'media-link'),
    'archive-link': deriveKey(secret_key, 'archive-link'),
    cursor: deriveKey(secret_key, 'cursor'),
    session: deriveKey(secret_key, 'session'),
  } as const satisfies Record<SigningPurpose, Buffer>;
  const sealing = {
    'webhook-secret': deriveKey(secret_key, 'webhook-secret'),
    'provider-key': deriveKey(secret_key, 'provider-key'),
    mail: deriveKey(secret_key, 'mail'),
    'sign-in': deriveKey(secret_key, 'sign-in'),
    'share-token': deriveKey(secret_key, 'share-token'),
    'share-item': deriveKey(secret_key, 'share-item'),
  } as const satisfies Record<EncryptionPurpose, Buffer>;
  const hash = (purpose: SigningPurpose, text: string) => createHmac('sha256', keys[purpose]).update(text).digest();
  return {
    sign: (purpose, text) => hash(purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      const expected = Buffer.from(hash(purpose, text).toString('base64url'));
      const actual = Buffer.from(signature);
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
    encrypt: (purpose, owner, text) => encrypt(sealing[purpose], owner, text),
    decrypt(purpose, owner, sealed) {
      try {
        return decrypt(sealing[purpose], owner, Buffer.from(sealed, 'base64url'));
      } catch {
        return null;
      }
    },
  };
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function encrypt(key: Buffer, owner: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

function decrypt(key: Buffer, owner: string, sealed: Buffer): string {
  const start = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(NONCE_BYTES, start));
  return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString('utf8');
}

const deriveKey = (secret_key: string | Buffer, purpose: SigningPurpose | EncryptionPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret_key, '', `emulsion ${purpose}`, 32));
