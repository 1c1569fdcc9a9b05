import { createPrivateKey } from 'node:crypto';
import { desc, sql } from 'drizzle-orm';
import { createId } from '#server/platform/core/create-id.ts';
import { signingCertificates } from '#server/platform/db/schema/credential-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Certificate, createSigner, MAX_TIME_STAMP_BYTES, readChain, type TimeStamper } from './create-signer.ts';
import type { ClaimSigner, SigningAuthority } from './signing-authority.ts';

const WARNING_MS = 30 * 86_400_000;

type Parts = Pick<Deps, 'db' | 'clock' | 'secrets' | 'log' | 'fetcher'>;
type Making = Pick<Deps, 'clock' | 'secrets'>;
type CertificateRow = typeof signingCertificates.$inferSelect;

interface Options {
  /** null: the newest certificate that the installation made signs. */
  operator: Certificate | null;
  timeStampUrl: string | null;
}

/** Signs with the operator's certificate or the newest one that the installation made; the first call makes one. */
export function createSigningAuthority(parts: Parts, { operator, timeStampUrl }: Options): SigningAuthority {
  const { db, clock, secrets, log } = parts;
  const stamp = timeStampUrl === null ? null : createTimeStamper(parts, timeStampUrl);
  const operatorSigner = operator && createSigner('operator', operator, stamp);
  const openSigners = new Map<string, ClaimSigner>();
  const warnings = new Set<string>();

  async function findSigner(): Promise<ClaimSigner> {
    if (operatorSigner) return operatorSigner;
    const row = (await findNewest(db)) ?? (await db.transaction((tx) => makeFirst(tx, parts)));
    const open = openSigners.get(row.id) ?? createSigner('self_made', openCertificate(row, secrets), stamp);
    openSigners.set(row.id, open);
    return open;
  }
  /** Once for each certificate and state. */
  function warnOfEnd({ kind, subject, expires_at }: ClaimSigner): void {
    const leftMs = expires_at.getTime() - clock.now().getTime();
    if (leftMs > WARNING_MS) return;
    const message = `the certificate of content credentials ${leftMs > 0 ? 'ends soon' : 'has ended'}`;
    const key = `${message} ${expires_at.getTime()}`;
    if (!warnings.has(key)) log.warn({ kind, subject, expires_at }, message);
    warnings.add(key);
  }

  return {
    time_stamp_host: timeStampUrl && new URL(timeStampUrl).host,
    async signer() {
      const signer = await findSigner();
      warnOfEnd(signer);
      return signer;
    },
    async trust() {
      const rows = await db.select({ chain: signingCertificates.chain }).from(signingCertificates);
      const chains = [...rows.map(({ chain }) => readChain(chain)), ...(operator ? [operator.chain] : [])];
      return {
        anchors: chains.map((chain) => String(chain.at(-1))).join('\n'),
        serials: chains.flatMap(([leaf]) => (leaf ? [BigInt(`0x${leaf.serialNumber}`).toString()] : [])),
      };
    },
  };
}

/** Makes the first certificate at the start. Without a readable key the service works, and results are not signed. */
export async function startSigning({ signing, log }: Pick<Deps, 'signing' | 'log'>): Promise<void> {
  await signing.signer().catch((err: unknown) => log.error({ err }, 'content credentials can’t be signed'));
}

function createTimeStamper({ fetcher, log }: Parts, url: string): TimeStamper {
  return async (content, signal) => {
    try {
      const { requestTimeStamp } = await import('./request-time-stamp.ts');
      return await requestTimeStamp(fetcher, { url, content, maxBytes: MAX_TIME_STAMP_BYTES, signal });
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, host: new URL(url).host }, 'content credentials are signed without a time stamp');
      return null;
    }
  };
}

async function findNewest(db: Db | Tx): Promise<CertificateRow | undefined> {
  const [row] = await db.select().from(signingCertificates).orderBy(desc(signingCertificates.id)).limit(1);
  return row;
}

/** Only one of the processes that start at the same time makes it. */
async function makeFirst(tx: Tx, parts: Making): Promise<CertificateRow> {
  await tx.execute(sql`lock table ${signingCertificates} in exclusive mode`);
  return (await findNewest(tx)) ?? addCertificate(tx, parts);
}

/** Makes a new certificate, which signs from now on. */
export async function addCertificate(tx: Tx, { clock, secrets }: Making): Promise<CertificateRow> {
  // It takes 60 ms to load, and most starts need none.
  const { createCertificate } = await import('./create-certificate.ts');
  const now = clock.now();
  const { chain, key } = await createCertificate(now);
  const id = createId('crt', now);
  const row = { id, chain, key_encrypted: secrets.encrypt('signing-key', id, key), created_at: now };
  await tx.insert(signingCertificates).values(row);
  return row;
}

function openCertificate({ id, chain, key_encrypted }: CertificateRow, secrets: Deps['secrets']): Certificate {
  const key = secrets.decrypt('signing-key', id, key_encrypted);
  if (key !== null) return { chain: readChain(chain), key: createPrivateKey(key) };
  throw new Error(
    'The signing key of content credentials can’t be decrypted with SECRET_KEY: add the earlier key to ' +
      'SECRET_KEYS_OLD, or make a new one with `npm run admin -- credentials rotate`.',
  );
}
