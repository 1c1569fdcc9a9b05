import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type PriceBook, PRICES } from '#contract/money/pricing.ts';
import { type AppOptions, createApp } from '#server/http/create-app.ts';
import { transitionListeners } from '#server/app/compose.ts';
import { type Config, readConfig } from '#server/platform/core/settings/config.ts';
import { type Database, openPglite, openPostgres } from '#server/platform/db/open-database.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { OfferingSource } from '#server/models/catalog/offering.ts';
import { createProviderOffering } from '#server/models/connections/provider-offering.ts';
import type { Engine } from '#server/models/engine/upstream.ts';
import { type DisabledCatalog, NOTHING_DISABLED } from '#server/models/config/read-engines.ts';
import { openJobQueue } from '#server/platform/jobs/job-queue.ts';
import { bootstrap, createOrganization } from '#server/app/bootstrap.ts';
import { createPerson, type PersonDraft, type PersonRow } from '#server/accounts/people/create-person.ts';
import { createSession } from '#server/accounts/keys/sessions.ts';
import type { Role } from '#contract/permissions.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { findCaller } from '#server/accounts/keys/find-caller.ts';
import { generateKey } from '#server/accounts/keys/key-credentials.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { createFetcher, type Fetcher } from '#server/platform/net/fetcher.ts';
import type { Certificate } from '#server/platform/credentials/create-signer.ts';
import { createSigningAuthority } from '#server/platform/credentials/create-signing-authority.ts';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { createExpressions } from '#server/studio/workflows/expression/expressions.ts';
import type { SharedStarter } from '#server/studio/workflows/starters/load-starters.ts';
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { createTestClient, type TestClient } from './test-client.ts';
import { loadPreparedDatabase } from './prepared-database.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export interface TestServiceOptions {
  /** A PostgreSQL database; PGlite in memory by default. See `testing/test-postgres.ts`. */
  databaseUrl?: string | null;
  engines?: readonly Engine[];
  off?: DisabledCatalog;
  media?: MediaTools;
  prices?: PriceBook;
  starters?: readonly SharedStarter[];
  /** Silent by default. */
  log?: Logger;
  /** By default the real fetcher, which only reaches public addresses. */
  fetcher?: Fetcher;
  storage?: Storage;
  /** Signs content credentials; a self-made one by default. */
  certificate?: Certificate;
  config?: Partial<Config>;
  clock?: TestClock;
  app?: AppOptions;
}

export interface TestService extends TestClient {
  app: FastifyInstance;
  deps: Deps & { clock: TestClock };
  organization_id: string;
  /** One key of each kind in the default organization. */
  keys: { organization: string; member: string; publishing: string };
  /** Adds a person to the default organization. @returns the person and the secret of their session */
  addPerson(role: Role, name?: string): Promise<{ person: PersonRow; session: string }>;
  /** Creates another organization. The key is its organization key. */
  addOrganization(): Promise<{ organization_id: string; key: string }>;
  /** Listens on a port; `inject` and the client work without it. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Starts the service without workers, with its own database, data directory and clock. */
export async function createTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'emulsion-test-'));
  const log = options.log ?? pino({ level: 'silent' });
  const clock = options.clock ?? createTestClock();
  const database = await openTestDatabase(options.databaseUrl ?? null, log);
  const queue = await openJobQueue(database.queue, { log, supervise: false });
  const secrets = createSecrets('a secret of the tests');
  const fetcher = options.fetcher ?? createFetcher();
  const offering: OfferingSource = await createProviderOffering(
    { db: database.db, secrets, fetcher, log },
    {
      file_engines: [],
      local_engines: options.engines ?? [],
      off: options.off ?? NOTHING_DISABLED,
      prices: options.prices ?? PRICES,
    },
  );
  const deps = {
    config: { ...readConfig({ DATA_DIR: folder }), ...options.config },
    db: database.db,
    clock,
    log,
    storage: options.storage ?? (await createDiskStorage(join(folder, 'media'))),
    media: options.media ?? (await sharedMediaTools()),
    fetcher,
    offering,
    queue,
    transitionListeners: transitionListeners({ clock, queue }),
    secrets,
    signing: createSigningAuthority(
      { db: database.db, clock, secrets, log, fetcher },
      { operator: options.certificate ?? null, timeStampUrl: options.config?.credentials?.timeStampUrl ?? null },
    ),
    expressions: createExpressions(),
    starters: options.starters ?? [],
  };
  const [existing] = await deps.db.select().from(organizations).limit(1);
  if (existing) throw new Error('The database of a test is not empty.');
  const organization = generateKey('organization');
  await bootstrap({ ...deps, config: { bootstrapApiKey: organization } });
  const owner = await findCaller(deps, organization);
  if (!owner) throw new Error('The first key is not known.');
  const { organization_id } = owner;
  const member = await createKey(deps, { organization_id, name: 'Member', kind: 'member' });
  const publishing = await createKey(deps, { organization_id, name: 'Publishing', kind: 'publishing' });
  const app = await createApp(deps, options.app);
  return {
    ...createTestClient(app, organization),
    app,
    deps,
    organization_id,
    keys: { organization, member: member.key, publishing: publishing.key },
    addPerson: (role, name = role) => addPerson(deps, { organization_id, role, name }),
    addOrganization: () => addOrganization(deps),
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await app.close();
      await deps.queue.stop(1_000);
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const openTestDatabase = async (url: string | null, log: Deps['log']): Promise<Database> =>
  url === null ? openPglite({ dump: await loadPreparedDatabase(log) }, log) : openPostgres(url, log);

async function addPerson({ db, clock }: Deps, draft: Pick<PersonDraft, 'organization_id' | 'role' | 'name'>) {
  const email = `${draft.name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const person = await db.transaction((tx) => createPerson({ tx, clock }, { ...draft, email }));
  const session = await createSession({ db, clock }, person.key_id, { method: 'link' });
  if (!session) throw new Error('The session was refused.');
  return { person, session: session.secret };
}

async function addOrganization({ db, clock }: Deps) {
  const organization_id = await db.transaction((tx) => createOrganization(tx, 'Another studio', clock.now()));
  const { key } = await createKey({ db, clock }, { organization_id, name: 'Key', kind: 'organization' });
  return { organization_id, key };
}
