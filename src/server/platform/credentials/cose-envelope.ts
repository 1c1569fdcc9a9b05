import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Algorithm identifiers of COSE, RFC 9053. */
export const COSE_ALGORITHMS = {
  es256: -7,
  es384: -35,
  es512: -36,
  ps256: -37,
  ps384: -38,
  ps512: -39,
  ed25519: -8,
} as const;

const X5CHAIN = 33;
const SIGN1_TAG = 0xd2;

type Bytes = Uint8Array<ArrayBuffer>;
/** `isoCBOR` only takes plain arrays of bytes. */
const plain = (bytes: Uint8Array): Bytes => new Uint8Array(bytes);

interface Envelope {
  alg: keyof typeof COSE_ALGORITHMS;
  /** DER, the signing certificate first. */
  chain: readonly Uint8Array[];
  reserve_bytes: number;
}

const protectedHeader = ({ alg, chain }: Envelope): Bytes =>
  isoCBOR.encode(
    new Map<number, number | Bytes | Bytes[]>([
      [1, COSE_ALGORITHMS[alg]],
      [X5CHAIN, chain.map(plain)],
    ]),
  );

/** The bytes that the key signs: RFC 9052, section 4.4. */
export const toBeSigned = (envelope: Envelope, claim: Uint8Array): Bytes =>
  isoCBOR.encode(['Signature1', protectedHeader(envelope), new Uint8Array(), plain(claim)]);

/**
 * Creates a tagged COSE_Sign1 envelope with a detached payload, padded to `reserve_bytes`.
 * @param time_stamp a DER-encoded response of a time stamp authority, for `sigTst2`
 * @throws {RangeError} if the chain does not fit
 */
export function coseEnvelope(envelope: Envelope, signature: Uint8Array, time_stamp: Uint8Array | null): Bytes {
  const encode = (padding: number): Uint8Array => {
    const unprotected = new Map<string, Bytes | Map<string, Map<string, Bytes>[]>>([['pad', new Uint8Array(padding)]]);
    if (time_stamp) unprotected.set('sigTst2', new Map([['tstTokens', [new Map([['val', plain(time_stamp)]])]]]));
    const body = isoCBOR.encode([protectedHeader(envelope), unprotected, null, plain(signature)]);
    return Buffer.concat([Buffer.from([SIGN1_TAG]), body]);
  };
  // The length of the padding takes three bytes from 256 on.
  const least = 256;
  const padding = envelope.reserve_bytes - encode(least).length + least;
  if (padding < least) throw new RangeError('The certificate chain does not fit into the space for the signature.');
  return plain(encode(padding));
}
