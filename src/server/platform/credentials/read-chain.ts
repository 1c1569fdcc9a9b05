import { X509Certificate } from 'node:crypto';

type Chain = readonly [X509Certificate, ...X509Certificate[]];

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads certificates in PEM. @throws {Error} if there is none, or one can't be read */
export function readChain(pem: string): Chain {
  const [first, ...others] = (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
  if (!first) throw new Error('The chain has no certificate.');
  return [first, ...others];
}
