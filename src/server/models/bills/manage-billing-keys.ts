import { eq } from 'drizzle-orm';
import type { Provider } from '#contract/resources/provider.ts';
import { readProvider } from '#server/models/connections/manage-providers.ts';
import { recordProviderEvent } from '#server/models/connections/record-provider-event.ts';
import { invalidSetting } from '#server/models/connections/validate-settings.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { providerBillingKeys, providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findBillingKey } from './find-billing-key.ts';
import { testBillingKey } from './fetch-bill.ts';

/** Stores the key with which bills are read, if the provider accepts it. Decision: Billing keys @throws {ApiError} 400, 404, 422 */
export async function setBillingKey(
  deps: Deps,
  caller: Caller,
  id: string,
  key: string,
  signal: AbortSignal,
): Promise<Provider> {
  const { provider, name, address } = await readProvider(deps, id);
  const preset = provider === null ? undefined : findPreset(provider);
  if (!preset?.bills) throw invalidSetting('key', `Bills of ${name} can’t be read. Add them as files.`);
  await testBillingKey(deps, preset, preset.bills, { address, api_key: key }, signal);
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    // Disconnecting and replacing wait for each other.
    await tx.select().from(providerConnections).where(eq(providerConnections.id, id)).for('update');
    await readProvider({ ...deps, db: tx }, id);
    const before = await findBillingKey(tx, id);
    const row = {
      sealed_key: deps.secrets.encrypt('billing-key', id, key),
      last_four: key.slice(-4),
      created_by: caller.key_id,
      created_at: now,
      due_at: now,
      problem: null,
      failing_since: null,
    };
    await tx
      .insert(providerBillingKeys)
      .values({ connection_id: id, ...row })
      .onConflictDoUpdate({ target: providerBillingKeys.connection_id, set: row });
    const change = {
      action: 'provider.billing_key_set',
      before: { key_last_four: before?.billing.last_four ?? null },
      after: { key_last_four: row.last_four },
    } as const;
    await recordProviderEvent(tx, caller, { id, provider: preset.id }, change, now);
  });
  return readProvider(deps, id);
}

/** Removes the key; bills stay. @throws {ApiError} 404 */
export async function removeBillingKey(deps: Deps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const found = await findBillingKey(tx, id);
    const [removed] = await tx
      .delete(providerBillingKeys)
      .where(eq(providerBillingKeys.connection_id, id))
      .returning({ last_four: providerBillingKeys.last_four });
    if (!found || !removed) throw new ApiError('not_found', 'Billing key not found.');
    const change = {
      action: 'provider.billing_key_removed',
      before: { key_last_four: removed.last_four },
    } as const;
    await recordProviderEvent(tx, caller, found.connection, change, deps.clock.now());
  });
}
