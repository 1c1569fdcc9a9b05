import 'reflect-metadata';
import { createPrivateKey, type KeyPairKeyObjectResult, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

interface Draft {
  keys: KeyPairKeyObjectResult;
  /** Days from now. */
  from?: number;
  until?: number;
  usages?: number;
  extended?: readonly string[];
  isAuthority?: boolean;
  hasIssuerKey?: boolean;
}

export interface IssuedCertificate {
  leaf: string;
  root: string;
  key: string;
}

/** Issues a certificate as a public authority would. @returns PEM */
export async function issueCertificate({
  keys,
  from = -1,
  until = 90,
  usages = x509.KeyUsageFlags.digitalSignature,
  extended = ['1.3.6.1.5.5.7.3.4'],
  isAuthority = false,
  hasIssuerKey = true,
}: Draft): Promise<IssuedCertificate> {
  x509.cryptoProvider.set(webcrypto);
  const day = (days: number) => new Date(Date.now() + days * DAY_MS);
  const issuerKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority, O=Tests',
    notBefore: day(-400),
    notAfter: day(400),
    signingAlgorithm: ALGORITHM,
    keys: issuerKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(issuerKeys.publicKey),
    ],
  });
  const leaf = await x509.X509CertificateGenerator.create({
    subject: 'CN=Example Studio, O=Example, C=DE',
    issuer: root.subject,
    notBefore: day(from),
    notAfter: day(until),
    signingAlgorithm: ALGORITHM,
    publicKey: new x509.PublicKey(keys.publicKey.export({ format: 'der', type: 'spki' })),
    signingKey: issuerKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      new x509.KeyUsagesExtension(usages, true),
      ...(extended.length > 0 ? [new x509.ExtendedKeyUsageExtension([...extended], true)] : []),
      ...(hasIssuerKey ? [await x509.AuthorityKeyIdentifierExtension.create(issuerKeys.publicKey)] : []),
    ],
  });
  return {
    leaf: `${leaf.toString('pem')}\n`,
    root: `${root.toString('pem')}\n`,
    key: pemOf(keys),
  };
}

const pemOf = ({ privateKey }: KeyPairKeyObjectResult): string =>
  createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
