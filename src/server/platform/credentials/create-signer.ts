import { constants, type KeyObject, sign as signBytes, X509Certificate } from 'node:crypto';
import { ALGORITHMS, coseEnvelope, reserveBytes, toBeSigned, toBeStamped } from './cose-envelope.ts';
import type { ClaimSigner } from './signing-authority.ts';

/** Larger ones are not used. Those of public authorities have 3 to 8 KB. */
export const MAX_TIME_STAMP_BYTES = 12_288;
const MIN_RSA_BITS = 2048;

export type TimeStamper = (content: Uint8Array, signal: AbortSignal | undefined) => Promise<Uint8Array | null>;

export interface Certificate {
  /** The signing certificate first. */
  chain: readonly [X509Certificate, ...X509Certificate[]];
  key: KeyObject;
}

/** By curve, or by the hash that an RSA key is restricted to. */
const KEY_ALGORITHMS = new Map<string, ClaimSigner['alg']>([
  ['prime256v1', 'es256'],
  ['secp384r1', 'es384'],
  ['secp521r1', 'es512'],
  ['sha256', 'ps256'],
  ['sha384', 'ps384'],
  ['sha512', 'ps512'],
]);

const [PEM_BEGIN, PEM_END] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];

/** Reads certificates in PEM. @throws {Error} if there is none, or one can't be read */
export function readChain(pem: string): Certificate['chain'] {
  const parts = pem.split(PEM_END).slice(0, -1);
  const [first, ...others] = parts.map((part) => new X509Certificate(part.slice(part.indexOf(PEM_BEGIN)) + PEM_END));
  if (!first) throw new Error('The chain has no certificate.');
  return [first, ...others];
}

/** @returns null for a key that content credentials can't be signed with */
export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): ClaimSigner['alg'] | null {
  const { namedCurve = '', modulusLength = 0, hashAlgorithm = 'sha256' } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'ed25519') return 'ed25519';
  if (asymmetricKeyType === 'ec') return KEY_ALGORITHMS.get(namedCurve) ?? null;
  const isRsa = asymmetricKeyType === 'rsa' || asymmetricKeyType === 'rsa-pss';
  return (isRsa && modulusLength >= MIN_RSA_BITS && KEY_ALGORITHMS.get(hashAlgorithm)) || null;
}

/** @param stamp null: without a time stamp */
export function createSigner(
  kind: ClaimSigner['kind'],
  { chain, key }: Certificate,
  stamp: TimeStamper | null,
): ClaimSigner {
  const alg = algorithmOf(key);
  if (alg === null) throw new Error('The key can’t sign content credentials.');
  const certificates = chain.map(({ raw }) => raw);
  const signatureBytes = signWith(key, alg, new Uint8Array()).length;
  const reserve_bytes = reserveBytes(certificates, signatureBytes + (stamp ? MAX_TIME_STAMP_BYTES : 0));
  const envelope = { alg, chain: certificates, reserve_bytes };
  const { subject, issuer } = chain[0].toLegacyObject();
  return {
    kind,
    alg,
    reserve_bytes,
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    expires_at: chain[0].validToDate,
    async sign(claim, signal) {
      const signature = signWith(key, alg, toBeSigned(envelope, claim));
      const timeStamp = stamp && (await stamp(toBeStamped(envelope, signature), signal));
      return coseEnvelope(envelope, signature, timeStamp);
    },
  };
}

const signWith = (key: KeyObject, alg: ClaimSigner['alg'], content: Uint8Array): Buffer =>
  signBytes(ALGORITHMS[alg].hash, content, {
    key,
    dsaEncoding: 'ieee-p1363',
    ...(alg.startsWith('ps') && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  });

/** A part that a name has more than once is a list. */
type Name = Readonly<Record<string, string | string[] | undefined>>;

const nameOf = (name: object): string => {
  const { CN, O, OU } = name as Name;
  return [CN ?? O ?? OU ?? 'Unnamed'].flat().join(', ');
};
