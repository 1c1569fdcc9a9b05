import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { RegisteredCredential, SignInCredential } from '#contract/resources/passkey.ts';

/** An authenticator with one passkey, which always finds its person present and verified. */
export interface SoftwareAuthenticator {
  register(challenge: string): RegisteredCredential;
  signIn(challenge: string): SignInCredential;
}

const IS_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encode = (data: Uint8Array): string => Buffer.from(data).toString('base64url');

/** @param origin of the page that asks for the passkey */
export function createSoftwareAuthenticator(rpId: string, origin: string): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;

  const describeClient = (type: 'webauthn.create' | 'webauthn.get', challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const writeHeader = (flags: number): Buffer => {
    const header = Buffer.alloc(37);
    sha256(rpId).copy(header);
    header.writeUInt8(flags, 32);
    header.writeUInt32BE((counter += 1), 33);
    return header;
  };
  /** COSE: an EC2 key on P-256 for ES256. */
  const writeKey = (): Uint8Array =>
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
  return {
    register(challenge) {
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(id.length);
      const header = writeHeader(IS_PRESENT_AND_VERIFIED | HAS_CREDENTIAL);
      const data = Buffer.concat([header, Buffer.alloc(16), idLength, id, writeKey()]);
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(data)],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      const clientDataJSON = encode(describeClient('webauthn.create', challenge));
      const response = { clientDataJSON, attestationObject: encode(attestation), transports: ['internal'] };
      return { id: encode(id), rawId: encode(id), type: 'public-key', response };
    },
    signIn(challenge) {
      const client = describeClient('webauthn.get', challenge);
      const data = writeHeader(IS_PRESENT_AND_VERIFIED);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: encode(client),
        authenticatorData: encode(data),
        signature: encode(signature),
      };
      return { id: encode(id), rawId: encode(id), type: 'public-key', response };
    },
  };
}
