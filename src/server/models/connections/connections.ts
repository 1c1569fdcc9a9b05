import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { ProviderId } from '#contract/providers.ts';
import type { ModelChoice } from '#contract/resources/provider.ts';
import type { TextModel } from '#contract/resources/text-model.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import {
  providerBillingKeys,
  providerConnections,
  providerCredentials,
} from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

type ConnectionRow = typeof providerConnections.$inferSelect;
export type CredentialRow = typeof providerCredentials.$inferSelect;

export interface StoredConnection extends ConnectionRow {
  /** Newest first; deleted ones left out. The first is in use unless it is retired. */
  credentials: CredentialRow[];
}

/** Reads connections with the credentials that jobs may still need, in order of preference. */
export async function readConnections(db: Pick<Db, 'select'>): Promise<StoredConnection[]> {
  const rows = await db
    .select()
    .from(providerConnections)
    .innerJoin(providerCredentials, eq(providerCredentials.connection_id, providerConnections.id))
    .where(isNull(providerCredentials.deleted_at))
    .orderBy(
      sql`${providerConnections.preferred_at} desc nulls last`,
      asc(providerConnections.id),
      asc(providerCredentials.version),
    );
  const connections = new Map<string, StoredConnection>();
  for (const { provider_connections: row, provider_credentials: credential } of rows) {
    const connection = connections.get(row.id) ?? { ...row, credentials: [] };
    connection.credentials.unshift(credential);
    connections.set(row.id, connection);
  }
  return [...connections.values()];
}

/** Reads a connection that is not disconnected. */
export const findConnection = async (db: Pick<Db, 'select'>, id: string): Promise<StoredConnection | undefined> =>
  (await readConnections(db)).find((connection) => connection.id === id && connection.disconnected_at === null);

export interface ConnectionDraft {
  provider: ProviderId;
  api_key: string | null;
  address: string | null;
  visible_watermark?: boolean;
  models: ModelChoice[];
  text_model?: TextModel | null;
  /** Id of the caller's key; null: the command line. */
  created_by: string | null;
}

/** @returns the id of the new connection */
export async function createConnection(
  { db, clock, secrets }: Deps,
  { api_key, ...draft }: ConnectionDraft,
): Promise<string> {
  const now = clock.now();
  const id = createId('prv', now);
  await db.transaction(async (tx) => {
    await tx.insert(providerConnections).values({ ...draft, id, state: 'active', created_at: now, updated_at: now });
    await addCredential({ db: tx, clock, secrets }, id, 1, api_key);
  });
  return id;
}

async function addCredential(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  connectionId: string,
  version: number,
  apiKey: string | null,
): Promise<void> {
  await db.insert(providerCredentials).values({
    connection_id: connectionId,
    version,
    sealed_key: apiKey === null ? null : secrets.encrypt('provider-key', connectionId, apiKey),
    last_four: apiKey === null ? null : apiKey.slice(-4),
    created_at: clock.now(),
  });
}

/** Replaces the key; the previous one stays until its jobs are done. A pause of the service's own ends. */
export async function rotateKey(deps: Deps, { id, credentials }: StoredConnection, apiKey: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    await retireCredentials(tx, id, now);
    await addCredential({ ...deps, db: tx }, id, (credentials[0]?.version ?? 0) + 1, apiKey);
    await tx
      .update(providerConnections)
      .set({ state: 'active', paused_reason: null, account_problems: 0, updated_at: now })
      .where(eq(providerConnections.id, id));
  });
}

const retireCredentials = (tx: Tx, connectionId: string, now: Date) =>
  tx
    .update(providerCredentials)
    .set({ retired_at: now })
    .where(and(eq(providerCredentials.connection_id, connectionId), isNull(providerCredentials.retired_at)));

export async function updateConnection(
  { db, clock }: Deps,
  id: string,
  change: {
    state?: 'active' | 'paused' | undefined;
    models?: ModelChoice[] | undefined;
    text_model?: TextModel | null | undefined;
    visible_watermark?: boolean | undefined;
    prefer?: boolean | undefined;
  },
): Promise<void> {
  const { state, models, text_model, visible_watermark, prefer = false } = change;
  const now = clock.now();
  await db
    .update(providerConnections)
    .set({
      ...(state === undefined ? {} : { state, paused_reason: null, account_problems: 0 }),
      ...(models === undefined ? {} : { models }),
      ...(text_model === undefined ? {} : { text_model }),
      ...(visible_watermark === undefined ? {} : { visible_watermark }),
      ...(prefer ? { preferred_at: now } : {}),
      updated_at: now,
    })
    .where(eq(providerConnections.id, id));
}

/** Takes a connection out of use. Running jobs finish with its key, which is deleted after them. */
export async function disconnectProvider({ db, clock }: Deps, id: string): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    await retireCredentials(tx, id, now);
    await tx.delete(providerBillingKeys).where(eq(providerBillingKeys.connection_id, id));
    await tx
      .update(providerConnections)
      .set({ disconnected_at: now, updated_at: now })
      .where(eq(providerConnections.id, id));
  });
}
