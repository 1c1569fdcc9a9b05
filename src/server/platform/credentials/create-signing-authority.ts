import { createPrivateKey, type KeyObject, sign as signBytes, X509Certificate } from 'node:crypto';
import { desc, sql } from 'drizzle-orm';
import type { Clock } from '#server/platform/core/clock.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Secrets } from '#server/platform/core/secrets.ts';
import { signingCertificates } from '#server/platform/db/credential-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { coseEnvelope, toBeSigned } from './cose-envelope.ts';
import type { ClaimSigner, SigningAuthority } from './signing-authority.ts';

/** Space for the chain, the signature and a time stamp. */
const RESERVE_BYTES = 16_384;

interface Parts {
  db: Db;
  clock: Clock;
  secrets: Secrets;
}

type CertificateRow = typeof signingCertificates.$inferSelect;

/** Signs with the newest certificate that the installation made; the first call makes one. */
export function createSigningAuthority({ db, clock, secrets }: Parts): SigningAuthority {
  const openSigners = new Map<string, ClaimSigner>();
  return {
    time_stamp_host: null,
    async signer() {
      const row = (await findNewest(db)) ?? (await db.transaction((tx) => makeFirst(tx, { clock, secrets })));
      const open = openSigners.get(row.id) ?? openSigner(row, secrets);
      openSigners.set(row.id, open);
      return open;
    },
    async anchors() {
      const rows = await db.select({ chain: signingCertificates.chain }).from(signingCertificates);
      return rows.map(({ chain }) => splitPem(chain).at(-1) ?? '').join('\n');
    },
  };
}

async function findNewest(db: Db | Tx): Promise<CertificateRow | undefined> {
  const [row] = await db.select().from(signingCertificates).orderBy(desc(signingCertificates.id)).limit(1);
  return row;
}

/** Only one of the processes that start at the same time makes it. */
async function makeFirst(tx: Tx, parts: Omit<Parts, 'db'>): Promise<CertificateRow> {
  await tx.execute(sql`lock table ${signingCertificates} in exclusive mode`);
  return (await findNewest(tx)) ?? addCertificate(tx, parts);
}

/** Makes a new certificate, which signs from now on. */
export async function addCertificate(tx: Tx, { clock, secrets }: Omit<Parts, 'db'>): Promise<CertificateRow> {
  // It takes 60 ms to load, and most starts need none.
  const { createCertificate } = await import('./create-certificate.ts');
  const now = clock.now();
  const { chain, key } = await createCertificate(now);
  const id = createId('crt', now);
  const row = { id, chain, key_encrypted: secrets.encrypt('signing-key', id, key), created_at: now };
  await tx.insert(signingCertificates).values(row);
  return row;
}

function openSigner({ id, chain, key_encrypted }: CertificateRow, secrets: Secrets): ClaimSigner {
  const key = secrets.decrypt('signing-key', id, key_encrypted);
  if (key === null) throw new Error('The signing key of content credentials can’t be decrypted with SECRET_KEY.');
  return createSigner({ kind: 'self_made', alg: 'es256', chain, key: createPrivateKey(key) });
}

const splitPem = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

function createSigner(parts: {
  kind: ClaimSigner['kind'];
  alg: ClaimSigner['alg'];
  chain: string;
  key: KeyObject;
}): ClaimSigner {
  const certificates = splitPem(parts.chain).map((pem) => new X509Certificate(pem));
  const [leaf] = certificates;
  if (!leaf) throw new Error('The chain has no certificate.');
  const envelope = {
    alg: parts.alg,
    chain: certificates.map(({ raw }) => raw),
    reserve_bytes: RESERVE_BYTES,
  };
  return {
    kind: parts.kind,
    alg: parts.alg,
    reserve_bytes: RESERVE_BYTES,
    subject: leaf.subject,
    issuer: leaf.issuer,
    expires_at: leaf.validToDate,
    sign: async (claim) => {
      const signature = signBytes('sha256', toBeSigned(envelope, claim), {
        key: parts.key,
        dsaEncoding: 'ieee-p1363',
      });
      return coseEnvelope(envelope, signature, null);
    },
  };
}
