import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Each purpose has its own key, so that a signature is valid for one purpose only. */
type SigningPurpose =
  | 'media-link'
  | 'archive-link'
  | 'upload-link'
  | 'cursor'
  | 'session'
  | 'backup'
  | 'callback-secret';
/** Each purpose has its own key. */
type EncryptionPurpose =
  | 'webhook-secret'
  | 'provider-key'
  | 'billing-key'
  | 'signing-key'
  | 'mail'
  | 'sign-in'
  | 'share-token'
  | 'share-item'
  | 'share-client';

export interface Secrets {
  /** Signs with the newest key. */
  sign(purpose: SigningPurpose, text: string): string;
  /** Returns the signature of each key, the newest first. */
  signWithEach(purpose: SigningPurpose, text: string): readonly string[];
  /** Accepts signatures of every key. */
  verify(purpose: SigningPurpose, text: string, signature: string): boolean;
  /**
   * Encrypts a text for storage with the newest key, base64url.
   * @param owner id of the owning row: a ciphertext that is copied to another row cannot be decrypted there
   */
  encrypt(purpose: EncryptionPurpose, owner: string, text: string): string;
  /** Decrypts a text of any key; returns null if it was changed or belongs to another key or owner. */
  decrypt(purpose: EncryptionPurpose, owner: string, sealed: string): string | null;
  /** Returns whether a text was encrypted with the newest key. */
  isCurrent(purpose: EncryptionPurpose, owner: string, sealed: string): boolean;
}

/**
 * @param secretKey at least 16 bytes, the same in every process of one installation
 * @param previousKeys still read and verified with, the newest first
 */
export function createSecrets(secretKey: string | Buffer, previousKeys: readonly string[] = []): Secrets {
  const newest = deriveKeys(secretKey);
  const ring = [newest, ...previousKeys.map(deriveKeys)];
  return {
    sign: (purpose, text) => sign(newest[purpose], text),
    signWithEach: (purpose, text) => ring.map((keys) => sign(keys[purpose], text)),
    verify: (purpose, text, signature) => ring.some((keys) => matches(sign(keys[purpose], text), signature)),
    encrypt: (purpose, owner, text) => encrypt(newest[purpose], owner, text),
    decrypt(purpose, owner, sealed) {
      for (const keys of ring) {
        const text = tryDecrypt(keys[purpose], owner, sealed);
        if (text !== null) return text;
      }
      return null;
    },
    isCurrent: (purpose, owner, sealed) => tryDecrypt(newest[purpose], owner, sealed) !== null,
  };
}

const deriveKeys = (secretKey: string | Buffer) =>
  ({
    'media-link': deriveKey(secretKey, 'media-link'),
    'archive-link': deriveKey(secretKey, 'archive-link'),
    'upload-link': deriveKey(secretKey, 'upload-link'),
    cursor: deriveKey(secretKey, 'cursor'),
    session: deriveKey(secretKey, 'session'),
    backup: deriveKey(secretKey, 'backup'),
    'callback-secret': deriveKey(secretKey, 'callback-secret'),
    'webhook-secret': deriveKey(secretKey, 'webhook-secret'),
    'provider-key': deriveKey(secretKey, 'provider-key'),
    'billing-key': deriveKey(secretKey, 'billing-key'),
    'signing-key': deriveKey(secretKey, 'signing-key'),
    mail: deriveKey(secretKey, 'mail'),
    'sign-in': deriveKey(secretKey, 'sign-in'),
    'share-token': deriveKey(secretKey, 'share-token'),
    'share-item': deriveKey(secretKey, 'share-item'),
    'share-client': deriveKey(secretKey, 'share-client'),
  }) as const satisfies Record<SigningPurpose | EncryptionPurpose, Buffer>;

const sign = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

function matches(expected: string, signature: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(signature)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function tryDecrypt(key: Buffer, owner: string, sealed: string): string | null {
  try {
    return decrypt(key, owner, Buffer.from(sealed, 'base64url'));
  } catch {
    return null;
  }
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

const deriveKey = (secretKey: string | Buffer, purpose: SigningPurpose | EncryptionPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `emulsion ${purpose}`, 32));
