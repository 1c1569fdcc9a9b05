import 'reflect-metadata';
import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as x509 from '@peculiar/x509';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import type { CredentialSettings } from '#server/platform/core/settings/credential-settings.ts';
import { algorithmOf, type Certificate, readChain } from './create-signer.ts';
import { SIGNING_USAGES } from './signing-authority.ts';

const MAX_FILE_BYTES = 65_536;

/** Reads the operator's certificate. @throws {ConfigError} for one whose signatures readers would reject */
export async function readOperatorCertificate(
  { certFile, keyFile }: NonNullable<CredentialSettings['certificate']>,
  now: Date,
): Promise<Certificate> {
  const chain = parseChain(await readText('C2PA_CERT_FILE', certFile));
  const key = parseKey(await readText('C2PA_KEY_FILE', keyFile));
  const problem = findChainProblem(chain, now) ?? findUsageProblem(chain[0]);
  if (problem !== null) throw new ConfigError(`C2PA_CERT_FILE ${problem}.`);
  if (algorithmOf(key) === null)
    throw new ConfigError(
      'C2PA_KEY_FILE has an unsupported key: use P-256, P-384, P-521, Ed25519, or RSA with 2,048 bits or more.',
    );
  if (!chain[0].checkPrivateKey(key))
    throw new ConfigError('C2PA_KEY_FILE does not belong to the first certificate in C2PA_CERT_FILE.');
  return { chain, key };
}

async function readText(name: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(`${name} can’t be read: ${cause instanceof Error ? cause.message : 'unknown error'}.`);
  });
  if (text.length <= MAX_FILE_BYTES) return text;
  throw new ConfigError(`${name} is too large: it may have ${MAX_FILE_BYTES} bytes.`);
}

function parseChain(pem: string): Certificate['chain'] {
  try {
    return readChain(pem);
  } catch {
    throw new ConfigError('C2PA_CERT_FILE must contain certificates in PEM.');
  }
}

function parseKey(pem: string): KeyObject {
  if (['-----BEGIN ENCRYPTED', 'Proc-Type: 4,ENCRYPTED'].some((mark) => pem.includes(mark)))
    throw new ConfigError('C2PA_KEY_FILE is encrypted: decrypt it with `openssl pkcs8 -in … -out …`.');
  try {
    return createPrivateKey(pem);
  } catch {
    throw new ConfigError('C2PA_KEY_FILE must contain a private key in PEM, PKCS #8.');
  }
}

function findChainProblem(chain: readonly X509Certificate[], now: Date): string | null {
  const isInOrder = chain.every((certificate, index) => {
    const issuer = chain[index + 1];
    return !issuer || (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  });
  if (!isInOrder) return 'must list the signing certificate first, and after each certificate its issuer';
  const ended = chain.find(({ validToDate }) => validToDate <= now);
  if (ended) return `has a certificate that ended on ${day(ended.validToDate)}`;
  const future = chain.find(({ validFromDate }) => validFromDate > now);
  return future ? `has a certificate that is not valid before ${day(future.validFromDate)}` : null;
}

function findUsageProblem(certificate: X509Certificate): string | null {
  const parsed = new x509.X509Certificate(certificate.raw);
  if (parsed.getExtension(x509.BasicConstraintsExtension)?.ca)
    return 'starts with the certificate of an authority: the signing certificate must come first';
  const usages = parsed.getExtension(x509.KeyUsagesExtension)?.usages ?? 0;
  if ((usages & x509.KeyUsageFlags.digitalSignature) === 0)
    return 'must have the key usage digitalSignature in its first certificate';
  if (!SIGNING_USAGES.some((usage) => certificate.keyUsage?.includes(usage)))
    return 'must have the extended key usage C2PA claim signing, emailProtection or documentSigning in its first certificate';
  const hasIssuerKey = parsed.getExtension(x509.AuthorityKeyIdentifierExtension) !== null;
  return hasIssuerKey ? null : 'must have an authority key identifier in its first certificate';
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
