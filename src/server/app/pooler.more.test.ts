import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WebhookDelivery, WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import { openPostgres } from '#server/platform/db/open-database.ts';
import { expectBalancedLedger } from '#server/studio/generations/testing/expect-balanced-ledger.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#server/studio/webhooks/testing/webhook-receiver.ts';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { prepareServiceProcess, type ServiceProcess } from './testing/service-process.ts';
import { startPgbouncer, type TestPgbouncer } from './testing/test-pgbouncer.ts';
import { startPostgres } from './testing/test-postgres.ts';
import { createTestService } from './testing/test-service.ts';

const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };

const postgres = await startPostgres();
const pooler = postgres && (await startPgbouncer(await postgres.createDatabase()));
if (!pooler) await postgres?.stop();

describe.skipIf(!pooler)('behind PgBouncer that pools transactions (needs PgBouncer)', () => {
  if (!postgres || !pooler) return;
  afterAll(async () => {
    await pooler.stop();
    await postgres.stop();
  });

  it('many requests at once take turns with its sessions', async () => {
    const databaseUrl = pooler.url(await postgres.createDatabase());
    const service = await createTestService({ databaseUrl, engines: [createScriptedEngine()] });
    const create = () => service.call('create_generation', { body: PICTURE });
    const created = await Promise.all(Array.from({ length: 24 }, create));
    const signal = new AbortController().signal;
    await Promise.all(created.map(({ body }) => runGeneration(service.deps, body.id, { shutdown: signal })));
    const { body } = await service.call('list_generations', { query: { limit: 100 } });
    expect(body.data.map(({ status }) => status)).toEqual(created.map(() => 'succeeded'));
    expect(await verifyLedger(service.deps, service.organization_id)).toMatchObject({ ok: true });
    await service.close();
  });

  describe.each([
    ['alone', false],
    ['with DATABASE_DIRECT_URL', true],
  ])('%s, two processes', (_name, hasDirect) => {
    let services: ServiceProcess[];
    let receiver: WebhookReceiver;
    let direct: string;
    const start = (service: ServiceProcess | undefined) =>
      service?.start(pooler.url(direct), {
        ...(hasDirect ? { DATABASE_DIRECT_URL: direct } : {}),
        ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
        NODE_EXTRA_CA_CERTS: join(services[0]?.dataDir ?? '', 'ca.pem'),
        SECRET_KEY: 's'.repeat(43),
        MEDIA_DIR: join(services[0]?.dataDir ?? '', 'shared'),
      });
    beforeAll(async () => {
      services = await Promise.all([prepareServiceProcess(), prepareServiceProcess()]);
      receiver = await startWebhookReceiver();
      await writeFile(join(services[0]?.dataDir ?? '', 'ca.pem'), receiver.certificate.cert);
      direct = await postgres.createDatabase();
      await Promise.all(services.map(start));
    });
    afterAll(async () => {
      for (const service of services) await service.remove();
      await receiver.close();
    });
    const finish = async (service: ServiceProcess | undefined, id: string) =>
      waitFor(`${id} to succeed`, async () => {
        const generation = await service?.get<Generation>(`/v1/generations/${id}`);
        return generation?.status === 'succeeded' && generation;
      });

    it('migrate the database once and leave no lock and no named statement', async () => {
      const client = new Client({ connectionString: direct });
      await client.connect();
      const { rows } = await client.query(`select count(*)::int as locks from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`);
      await client.end();
      expect(rows).toEqual([{ locks: 0 }]);
    });

    it('complete generations, deliver webhooks and finish the work of one that was killed', async () => {
      const [first, second] = services;
      if (!first || !second) throw new Error('No service runs.');
      const events = ['generation.succeeded'];
      const endpoint = { url: receiver.url('/hook'), events };
      const { id } = await first.post<WebhookEndpointCreated>('/v1/webhooks/endpoints', endpoint);
      const create = (service: ServiceProcess) => service.post<Generation>('/v1/generations', PICTURE);
      const created = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => create(n % 2 ? first : second)));
      await second.stop('SIGKILL');
      const ended = await Promise.all(created.map((generation) => finish(first, generation.id)));
      await start(second);
      ended.push(await finish(second, (await create(second)).id));
      const path = `/v1/webhooks/endpoints/${id}/deliveries?limit=100`;
      await waitFor('all deliveries', async () => {
        const { data } = await second.get<List<WebhookDelivery>>(path);
        return data.length === ended.length && data.every(({ status }) => status === 'succeeded');
      });
      await expectBalancedLedger(first, ended);
      for (const service of services) expect(service.output()).not.toMatch(/prepared statement|unexpected error/);
    });
  });

  describe('other pools', () => {
    const log = pino({ level: 'silent' });
    let statements: TestPgbouncer | null;
    let sessions: TestPgbouncer | null;
    let direct: string;
    beforeAll(async () => {
      direct = await postgres.createDatabase();
      statements = await startPgbouncer(direct, 'statement');
      sessions = await startPgbouncer(direct, 'session');
    });
    afterAll(async () => {
      await statements?.stop();
      await sessions?.stop();
    });

    it('of statements are refused in a sentence', async () => {
      await expect(openPostgres(statements?.url(direct) ?? '', log)).rejects.toThrow(
        'The pooler at DATABASE_URL pools statements: set its pool_mode to transaction.',
      );
    });

    it('of sessions work', async () => {
      const database = await openPostgres(sessions?.url(direct) ?? '', log);
      await database.close();
    });
  });
});
