import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';
import { pino } from 'pino';
import { createOrganization } from '#server/app/bootstrap.ts';
import { appendEntry } from '#server/accounts/billing/ledger/append-entries.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { type Database, openDatabase } from '#server/platform/db/open-database.ts';
import { openJobQueue } from '#server/platform/jobs/job-queue.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { hashCredential } from '#server/accounts/keys/key-credentials.ts';

/**
 * The transaction that creates of the service are measured against: the least that stores the same rows. The tables are
 * those of the service, since their indexes, foreign keys and triggers cost the same for every client. The driver is
 * used as it comes, with one plain statement per row.
 */
const FIND_KEY = 'select id, organization_id, revoked_at from api_keys where secret_sha256 = $1';
const GENERATION = `
  insert into generations (id, organization_id, task, model, status, input, amount_micro_usd, line_items, billing_status,
    chain_id, created_by, lane, created_at, updated_at)
  values ($1, $2, 'image.create', 'imgmodel-a-2', 'queued', $3, 30000, $4, 'reserved', $1, $5, 'generation.upstream', $6, $6)`;
const WORDS = `insert into generation_words (generation_id, words) values ($1, $2)`;
const JOB = `
  insert into pgboss.job (name, priority, data, singleton_key, group_id, expire_seconds, deletion_seconds, retry_limit,
    retry_delay, retry_backoff, retry_delay_max, policy, heartbeat_seconds)
  values ('generation.upstream', $1, $2, $3, $4, 7200, 3600, 10, 1, true, 60, 'short', 10)`;
const ENTRY = `
  insert into ledger_entries (id, organization_id, type, amount_micro_usd, generation_id, task, model, key_id,
    description, created_by, created_at)
  values ($1, $2, 'RESERVE', -30000, $3, 'image.create', 'imgmodel-a-2', $4, 'Create an image · Image A2', $4, $5)`;
const LINE_ITEMS = JSON.stringify([
  { description: 'imgmodel-a-2', unit: 'image', quantity: '1', unit_price_usd: '0.03', amount_usd: '0.03' },
]);

interface Key {
  id: string;
  organization_id: string;
}
type Query = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;
type Transact = <T>(act: (query: Query) => Promise<T>) => Promise<T>;

/**
 * Prepares an empty database like the service does.
 * @param folder of the embedded database, with a subfolder `database`; null: PostgreSQL
 * @param organizations how many accounts the creates use in turn
 * @returns what stores the rows of one create for the request's input, and returns the id
 */
export async function openFloorTransaction(
  databaseUrl: string | null,
  folder: string,
  organizations: number,
): Promise<(input: Record<string, unknown>) => Promise<string>> {
  const log = pino({ level: 'silent' });
  const database = await openDatabase({ databaseUrl, dataDir: folder }, log);
  const queue = await openJobQueue(database.queue, { log, supervise: false });
  const secrets: string[] = [];
  for (let number = 0; number < organizations; number += 1) secrets.push(await addOrganization(database));
  await queue.stop(1_000);
  await database.close();
  const transact = databaseUrl === null ? await openEmbedded(folder) : openPostgres(databaseUrl);
  let count = 0;
  return (input) => {
    const secret_sha256 = secrets[(count += 1) % organizations];
    return transact(async (query) => {
      const [key] = (await query(FIND_KEY, [secret_sha256])).rows as Key[];
      if (!key) throw new Error('The key of the floor is missing.');
      const now = new Date();
      const id = createId('gen', now);
      const stored = JSON.stringify({ ...input, resolution: '1K', aspect_ratio: 'auto' });
      await query(GENERATION, [id, key.organization_id, stored, LINE_ITEMS, key.id, now]);
      await query(WORDS, [id, `'a' 'lighthouse' 'at' 'dusk'`]);
      await query(JOB, [0, JSON.stringify({ generation_id: id }), id, key.id]);
      await query(ENTRY, [createId('led', now), key.organization_id, id, key.id, now]);
      return id;
    });
  };
}

/** @returns the hash of its key */
async function addOrganization({ db }: Pick<Database, 'db'>): Promise<string> {
  const clock = { now: () => new Date() };
  return db.transaction(async (tx) => {
    const organization_id = await createOrganization(tx, 'Floor', clock.now());
    const credit = { type: 'ADMIN_CREDIT', amount_micro_usd: 100_000_000_000n, description: 'bench' } as const;
    await appendEntry(tx, organization_id, { ...credit, created_by: null }, clock.now());
    const { key } = await createKey({ db: tx, clock }, { organization_id, name: 'floor', kind: 'organization' });
    return hashCredential(key);
  });
}

async function openEmbedded(folder: string): Promise<Transact> {
  // The settings of the service, see open-database.ts.
  const lite = await PGlite.create(path.join(folder, 'database'), { postgresqlconf: ['shared_buffers = 16MB'] });
  return (act) => lite.transaction((tx) => act((text, values) => tx.query(text, values)));
}

/** The test server has unusual ones, which the service sets for its sessions. */
const USUAL_DEFAULTS = '-c search_path=public -c default_transaction_isolation=read\\ committed -c jit=off';

function openPostgres(connectionString: string): Transact {
  const pool = new Pool({ connectionString, max: 16, options: USUAL_DEFAULTS });
  return async (act) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await act((text, values) => client.query(text, values));
      await client.query('commit');
      return result;
    } finally {
      client.release();
    }
  };
}
