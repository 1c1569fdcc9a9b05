import 'reflect-metadata';
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyUsageFlags } from '@peculiar/x509';
import { pino } from 'pino';
import { createTestService } from '#server/app/testing/test-service.ts';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import { createSigner } from './create-signer.ts';
import { readOperatorCertificate } from './read-operator-certificate.ts';
import { type IssuedCertificate, issueCertificate } from './testing/issue-certificate.ts';
import { readPicture, signPicture } from './testing/sign-picture.ts';

let folder: string;
let files: { certFile: string; keyFile: string };
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-certificate-'));
  files = { certFile: join(folder, 'chain.pem'), keyFile: join(folder, 'key.pem') };
});
afterAll(() => rm(folder, { recursive: true }));

async function read(chain: string, key: string) {
  await Promise.all([writeFile(files.certFile, chain), writeFile(files.keyFile, key)]);
  return readOperatorCertificate(files, new Date());
}

const pss = (hash: string): KeyPairKeyObjectResult =>
  generateKeyPairSync('rsa-pss', { modulusLength: 2048, hashAlgorithm: hash, mgf1HashAlgorithm: hash });

describe('a picture signed with the operator’s certificate is valid', () => {
  it.each<[string, KeyPairKeyObjectResult]>([
    ['es256', keys],
    ['es384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['es512', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['ps256', generateKeyPairSync('rsa', { modulusLength: 3072 })],
    ['ps256', pss('sha256')],
    ['ps384', pss('sha384')],
    ['ps512', pss('sha512')],
    ['ed25519', generateKeyPairSync('ed25519')],
  ])('%s', async (alg, pair) => {
    const { leaf, root, key } = await issueCertificate({ keys: pair });
    const signer = createSigner('operator', await read(leaf + root, key), null);
    expect(signer).toMatchObject({ kind: 'operator', alg, subject: 'Example Studio', issuer: 'Test authority' });
    const picture = await signPicture(signer);
    expect((await readPicture(picture, root)).state).toBe('Trusted');
    picture[picture.length - 30] = (picture[picture.length - 30] ?? 0) ^ 1;
    expect((await readPicture(picture, root)).state).toBe('Invalid');
  });

  it('also without its root', async () => {
    const { leaf, root, key } = await issueCertificate({ keys });
    const signer = createSigner('operator', await read(leaf, key), null);
    expect((await readPicture(await signPicture(signer), root)).state).toBe('Trusted');
  });

  it.each(['1.3.6.1.4.1.62558.2.1', '1.3.6.1.5.5.7.3.36'])('with the extended key usage %s', async (usage) => {
    const { leaf, root, key } = await issueCertificate({ keys, extended: [usage] });
    const signer = createSigner('operator', await read(leaf + root, key), null);
    expect((await readPicture(await signPicture(signer), root)).state).toBe('Trusted');
  });
});

it('signs instead of a self-made certificate, and its root and earlier issuers are anchors', async () => {
  const { leaf, root, key } = await issueCertificate({ keys, until: 20 });
  const lines: { msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { deps, close } = await createTestService({ certificate: await read(leaf + root, key), log });
  expect((await deps.signing.signer()).kind).toBe('operator');
  expect((await deps.signing.trust()).anchors).toBe(root.replaceAll('\r', ''));
  expect(lines.map(({ msg }) => msg)).toEqual(['the certificate of content credentials ends soon']);
  await close();
});

describe('is refused with a sentence that names the variable:', () => {
  type Chain = [chain: string, key: string];
  const whole = ({ leaf, root, key }: IssuedCertificate): Chain => [leaf + root, key];
  const issue = (draft: Partial<Parameters<typeof issueCertificate>[0]>) => issueCertificate({ keys, ...draft });
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const curve = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const encryption = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;

  it.each<[string, () => Promise<Chain>, RegExp]>([
    ['no certificate', async () => ['nothing', (await issue({})).key], /^C2PA_CERT_FILE must contain certificates/],
    [
      'a broken certificate',
      async () => ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', (await issue({})).key],
      /^C2PA_CERT_FILE must contain certificates/,
    ],
    ['a large file', async () => ['x'.repeat(70_000), ''], /^C2PA_CERT_FILE is too large/],
    ['no key', async () => [whole(await issue({}))[0], 'nothing'], /^C2PA_KEY_FILE must contain a private key in PEM/],
    [
      'an encrypted key',
      async () => [whole(await issue({}))[0], String(keys.privateKey.export(encryption))],
      /^C2PA_KEY_FILE is encrypted: /,
    ],
    [
      'another key',
      async () => [
        whole(await issue({}))[0],
        (await issue({ keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }) })).key,
      ],
      /^C2PA_KEY_FILE does not belong to the first certificate/,
    ],
    ['an expired one', async () => whole(await issue({ from: -9, until: -2 })), /^C2PA_CERT_FILE .* ended on \d{4}-/],
    ['a future one', async () => whole(await issue({ from: 2 })), /^C2PA_CERT_FILE .* not valid before \d{4}-/],
    [
      'one without digitalSignature',
      async () => whole(await issue({ usages: KeyUsageFlags.keyEncipherment })),
      /^C2PA_CERT_FILE must have the key usage digitalSignature/,
    ],
    [
      'one for servers',
      async () => whole(await issue({ extended: ['1.3.6.1.5.5.7.3.1'] })),
      /^C2PA_CERT_FILE must have the extended key usage C2PA claim signing, emailProtection or/,
    ],
    [
      'one without extended key usage',
      async () => whole(await issue({ extended: [] })),
      /^C2PA_CERT_FILE must have the extended key usage/,
    ],
    [
      'one without its issuer’s key',
      async () => whole(await issue({ hasIssuerKey: false })),
      /^C2PA_CERT_FILE must have an authority key/,
    ],
    [
      'an authority',
      async () => whole(await issue({ isAuthority: true })),
      /^C2PA_CERT_FILE starts with the certificate of an authority/,
    ],
    [
      'the wrong order',
      async () => {
        const { leaf, root, key } = await issue({});
        return [root + leaf, key];
      },
      /^C2PA_CERT_FILE must list the signing certificate first/,
    ],
    [
      'an issuer of the same name with another key',
      async () => {
        const [{ leaf, key }, { root }] = [await issue({}), await issue({})];
        return [leaf + root, key];
      },
      /^C2PA_CERT_FILE must list the signing certificate first/,
    ],
    ['a short RSA key', async () => whole(await issue({ keys: weak })), /^C2PA_KEY_FILE has an unsupported key/],
    ['another curve', async () => whole(await issue({ keys: curve })), /^C2PA_KEY_FILE has an unsupported key/],
  ])('%s', async (_name, prepare, message) => {
    const chain = await prepare();
    await expect(read(...chain)).rejects.toThrow(ConfigError);
    await expect(read(...chain)).rejects.toThrow(message);
  });

  it('a file that is not there', async () => {
    const missing = join(folder, 'missing.pem');
    await read(...whole(await issue({})));
    for (const [name, change] of Object.entries({ C2PA_CERT_FILE: 'certFile', C2PA_KEY_FILE: 'keyFile' }))
      await expect(readOperatorCertificate({ ...files, [change]: missing }, new Date())).rejects.toThrow(
        new RegExp(`^${name} can’t be read: ENOENT.*\\.$`),
      );
  });
});
