import { CBORTag, encodeCBOR } from '@levischuck/tiny-cbor';
import type { ClaimSigner } from './signing-authority.ts';

/** Identifiers of COSE, RFC 9053, and hashes. */
export const ALGORITHMS = {
  es256: { cose: -7, hash: 'sha256' },
  es384: { cose: -35, hash: 'sha384' },
  es512: { cose: -36, hash: 'sha512' },
  ps256: { cose: -37, hash: 'sha256' },
  ps384: { cose: -38, hash: 'sha384' },
  ps512: { cose: -39, hash: 'sha512' },
  ed25519: { cose: -8, hash: null },
} as const satisfies Record<ClaimSigner['alg'], { cose: number; hash: string | null }>;

const ALGORITHM = 1;
const X5CHAIN = 33;
const SIGN1_TAG = 18;
const NOTHING = new Uint8Array();
/** From here on, the length of a byte string takes three bytes. */
const LEAST_PADDING = 256;
/** Padding, and what CBOR adds to the parts. */
const FRAME_BYTES = 512;

interface Envelope {
  alg: ClaimSigner['alg'];
  /** DER, the signing certificate first. */
  chain: readonly Uint8Array[];
  reserve_bytes: number;
}

/** @param content_bytes of the signature and the time stamp, at most */
export const reserveBytes = (chain: Envelope['chain'], contentBytes: number): number =>
  chain.reduce((sum, { length }) => sum + length, contentBytes + FRAME_BYTES);

function protectedHeader({ alg, chain }: Envelope): Uint8Array {
  const [leaf = NOTHING] = chain;
  return encodeCBOR(
    new Map<number, number | Uint8Array | Uint8Array[]>([
      [ALGORITHM, ALGORITHMS[alg].cose],
      [X5CHAIN, chain.length > 1 ? [...chain] : leaf],
    ]),
  );
}

/** The bytes that the key signs: RFC 9052, section 4.4. */
export const toBeSigned = (envelope: Envelope, claim: Uint8Array): Uint8Array =>
  encodeCBOR(['Signature1', protectedHeader(envelope), NOTHING, claim]);

/** The bytes that a time stamp of version 2 is for. */
export const toBeStamped = (envelope: Envelope, signature: Uint8Array): Uint8Array =>
  encodeCBOR(['CounterSignature', protectedHeader(envelope), NOTHING, encodeCBOR(signature)]);

/**
 * Creates a tagged COSE_Sign1 envelope with a detached payload, padded to `reserve_bytes`.
 * @param timeStamp DER of a `TimeStampToken`, for `sigTst2`
 * @throws {RangeError} if it does not fit
 */
export function coseEnvelope(envelope: Envelope, signature: Uint8Array, timeStamp: Uint8Array | null): Uint8Array {
  const encode = (padding: number): Uint8Array => {
    const unprotected = new Map<string, Uint8Array | Map<string, Map<string, Uint8Array>[]>>([
      ['pad', new Uint8Array(padding)],
    ]);
    if (timeStamp) unprotected.set('sigTst2', new Map([['tstTokens', [new Map([['val', timeStamp]])]]]));
    return encodeCBOR(new CBORTag(SIGN1_TAG, [protectedHeader(envelope), unprotected, null, signature]));
  };
  const padding = envelope.reserve_bytes - encode(LEAST_PADDING).length + LEAST_PADDING;
  if (padding < LEAST_PADDING) throw new RangeError('The envelope does not fit into the space for the signature.');
  return encode(padding);
}
