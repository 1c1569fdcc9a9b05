import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { SIGNING_USAGES } from './signing-authority.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
const VALID_DAYS = 3650;

export interface CertificateFiles {
  /** PEM, the signing certificate first. */
  chain: string;
  /** PKCS #8 in PEM. */
  key: string;
}

/** Creates a signing certificate and its issuer, whose key is thrown away: nothing else can be issued by it. */
export async function createCertificate(now: Date): Promise<CertificateFiles> {
  x509.cryptoProvider.set(webcrypto);
  const [issuerKeys, keys] = await Promise.all([createKeys(), createKeys()]);
  const validity = {
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
  };
  const issuer = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Emulsion installation, O=Emulsion',
    keys: issuerKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(issuerKeys.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=Emulsion, O=Emulsion',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: issuerKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(SIGNING_USAGES.slice(0, 2)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuerKeys.publicKey),
    ],
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { chain: `${certificate.toString('pem')}\n${issuer.toString('pem')}\n`, key };
}

const createKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
