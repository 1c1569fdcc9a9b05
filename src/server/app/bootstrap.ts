import { eq, sql } from 'drizzle-orm';
import { MICRO_PER_USD } from '#contract/money/money.ts';
import { appendEntry } from '#server/accounts/billing/ledger/append-entries.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { createPerson } from '#server/accounts/people/create-person.ts';
import { recordAuditEvent, serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { createKey, describeKey } from '#server/accounts/keys/create-key.ts';
import { hashCredential } from '#server/accounts/keys/key-credentials.ts';
import { createSignInToken, SIGN_IN_TTL_MS } from '#server/accounts/keys/sign-in-tokens.ts';

const FIRST_CREDIT_MICRO_USD = 100n * MICRO_PER_USD;
/** Lets one of several starting processes create the organization. Arbitrary, but used for nothing else. */
const BOOTSTRAP_LOCK = 8_787_002;

/**
 * Creates what a new installation needs: an organization, its account with 100 dollars, and its first administrator or
 * the organization key that the operator chose, which is also added later.
 * @returns the token of the first administrator's sign-in link, to be shown once; otherwise null. Decision: Credentials
 */
export async function bootstrap({
  db,
  clock,
  config,
}: {
  db: Deps['db'];
  clock: Deps['clock'];
  config: Pick<Deps['config'], 'bootstrapApiKey'>;
}): Promise<string | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::bigint)`);
    const [first] = await tx.select().from(organizations).orderBy(organizations.id).limit(1);
    const organizationId = first?.id ?? (await createOrganization(tx, 'Studio', clock.now()));
    if (config.bootstrapApiKey !== null) {
      await ensureKey(tx, clock, organizationId, config.bootstrapApiKey);
      return null;
    }
    if (first) return null;
    const firstAdministrator = {
      organization_id: organizationId,
      name: 'Administrator',
      email: null,
      role: 'administrator' as const,
    };
    const { key_id } = await createPerson({ tx, clock }, firstAdministrator);
    return (await createSignInToken({ db: tx, clock }, key_id, SIGN_IN_TTL_MS.shared)).token;
  });
}

/** Creates an organization with 100 dollars. @returns its id */
export async function createOrganization(tx: Tx, name: string, now: Date): Promise<string> {
  const id = createId('org', now);
  await tx.insert(organizations).values({ id, name, created_at: now });
  const credit = { amount_micro_usd: FIRST_CREDIT_MICRO_USD, description: 'Initial credit', created_by: null };
  await appendEntry(tx, id, { type: 'ADMIN_CREDIT', ...credit }, now);
  return id;
}

async function ensureKey(tx: Tx, clock: Deps['clock'], organization_id: string, key: string): Promise<void> {
  const [existing] = await tx
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.secret_sha256, hashCredential(key)));
  if (existing) return;
  const { id, name, kind } = await createKey(
    { db: tx, clock },
    { organization_id, name: 'Bootstrap key', kind: 'organization', key },
  );
  const after = describeKey({ name, kind, scopes: null, expires_at: null, person_id: null });
  const change = { action: 'key.created', target: { type: 'key', id, name }, after } as const;
  await recordAuditEvent(tx, serviceActor(organization_id), change, clock.now());
}
