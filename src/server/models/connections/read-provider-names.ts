import type { Db } from '#server/platform/db/db.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import { findPreset } from '#server/models/providers/presets.ts';

type Connection = typeof providerConnections.$inferSelect;

/** Names of connected providers, by id. */
export const readProviderNames = async (db: Pick<Db, 'select'>): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await db.select().from(providerConnections)).map((connection) => [connection.id, nameConnection(connection)]),
  );

/** Several servers may speak the protocol of one provider, so an address of its own is part of the name. */
function nameConnection({ provider, address }: Connection): string {
  const name = findPreset(provider)?.name ?? provider;
  return address !== null && URL.canParse(address) ? `${name} (${new URL(address).host})` : name;
}
