import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { signingCertificates } from '#server/platform/db/schema/credential-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import {
  providerBillingKeys,
  providerConnections,
  providerCredentials,
} from '#server/platform/db/schema/provider-schema.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import { webhookEndpoints } from '#server/platform/db/schema/webhook-schema.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { checkInstallation } from './check-installation.ts';
import { rotateSecrets } from './rotate-secrets.ts';

const OLD = 'the secret key before';
const NEW = 'the secret key after';
let service: TestService;
beforeAll(async () => {
  service = await createTestService();
  const { db, clock } = service.deps;
  const secrets = createSecrets(OLD);
  const at = clock.now();
  const { organization_id } = service;
  await db.insert(webhookEndpoints).values([
    {
      id: 'whe_a',
      organization_id,
      url: 'https://a.example/hook',
      events: [],
      secret_sealed: secrets.encrypt('webhook-secret', 'whe_a', 'whsec_a'),
      previous_secret_sealed: secrets.encrypt('webhook-secret', 'whe_a', 'whsec_before'),
      created_at: at,
    },
    { id: 'whe_deleted', organization_id, url: 'https://b.example', events: [], secret_sealed: '', created_at: at },
  ]);
  const times = { created_at: at, updated_at: at };
  await db.insert(providerConnections).values({ id: 'con_a', provider: 'fal', models: [], state: 'active', ...times });
  const sealed_key = secrets.encrypt('provider-key', 'con_a', 'fal-key');
  await db.insert(providerCredentials).values([
    { connection_id: 'con_a', version: 1, sealed_key: null, created_at: at },
    { connection_id: 'con_a', version: 2, sealed_key, created_at: at },
  ]);
  const [key] = await db.select({ id: apiKeys.id }).from(apiKeys);
  await db.insert(providerBillingKeys).values({
    connection_id: 'con_a',
    sealed_key: secrets.encrypt('billing-key', 'con_a', 'fal-admin'),
    last_four: 'dmin',
    created_by: key?.id ?? '',
    created_at: at,
    due_at: at,
  });
  await db.insert(signingCertificates).values({
    id: 'crt_a',
    chain: '',
    key_encrypted: secrets.encrypt('signing-key', 'crt_a', 'key_a'),
    created_at: at,
  });
  await db.insert(shares).values({
    id: 'shr_a',
    organization_id,
    media_ids: ['upl_a'],
    token_sha256: 'a',
    token_encrypted: secrets.encrypt('share-token', 'shr_a', 'token_a'),
    shows_prompts: false,
    allows_downloads: false,
    shows_organization: false,
    created_by: key?.id ?? '',
    created_at: at,
  });
});
afterAll(() => service.close());

const rotate = (ring: ReturnType<typeof createSecrets>) =>
  rotateSecrets({ ...service.deps, secrets: ring }, service.organization_id);
const check = async (ring: ReturnType<typeof createSecrets>) =>
  (await checkInstallation({ ...service.deps, secrets: ring }, { checksAllMedia: true })).filter((problem) =>
    problem.includes('SECRET_KEY'),
  );

it('encrypts everything with the newest key, once, and leaves what no key decrypts', async () => {
  const nothing = { rotated: 0, current: 0, unreadable: expect.arrayContaining(['the key of the provider fal']) };
  expect(await rotate(createSecrets(NEW))).toEqual(nothing);
  expect(await check(createSecrets(NEW))).toEqual([
    expect.stringMatching(/^SECRET_KEY is not the key of this database: it decrypts none of its 6 stored secrets\./),
  ]);
  expect(await check(createSecrets(NEW, [OLD]))).toEqual([]);

  expect(await rotate(createSecrets(NEW, [OLD]))).toEqual({ rotated: 6, current: 0, unreadable: [] });
  expect(await rotate(createSecrets(NEW))).toEqual({ rotated: 0, current: 6, unreadable: [] });
  expect(await check(createSecrets(NEW))).toEqual([]);

  const { db } = service.deps;
  const secrets = createSecrets(NEW);
  const [endpoint] = await db.select().from(webhookEndpoints).orderBy(webhookEndpoints.id);
  expect(secrets.decrypt('webhook-secret', 'whe_a', endpoint?.secret_sealed ?? '')).toBe('whsec_a');
  expect(secrets.decrypt('webhook-secret', 'whe_a', endpoint?.previous_secret_sealed ?? '')).toBe('whsec_before');
  const [credential] = await db.select().from(providerCredentials).orderBy(desc(providerCredentials.version));
  expect(secrets.decrypt('provider-key', 'con_a', credential?.sealed_key ?? '')).toBe('fal-key');
  const [billingKey] = await db.select().from(providerBillingKeys);
  expect(secrets.decrypt('billing-key', 'con_a', billingKey?.sealed_key ?? '')).toBe('fal-admin');
  const [share] = await db.select().from(shares);
  expect(secrets.decrypt('share-token', 'shr_a', share?.token_encrypted ?? '')).toBe('token_a');
  const [certificate] = await db.select().from(signingCertificates);
  expect(secrets.decrypt('signing-key', 'crt_a', certificate?.key_encrypted ?? '')).toBe('key_a');
  const events = await db.select().from(auditEvents).orderBy(desc(auditEvents.seq));
  expect(events.filter(({ action }) => action === 'installation.secrets_rotated')).toMatchObject([
    { actor_type: 'shell', after: { rotated: 6 } },
  ]);
});
