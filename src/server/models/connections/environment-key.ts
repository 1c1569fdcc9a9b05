import { readEnvironmentVariable } from '#server/platform/core/config.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';

/** The address that the environment names, as for a gateway; null: the provider’s own. */
export const findEnvironmentAddress = ({ address_variable }: ProviderPreset): string | null =>
  address_variable === undefined ? null : readEnvironmentVariable(address_variable);

/** Where requests go unless the administrator enters an address; null: there is no usual one. */
export const findUsualAddress = (preset: ProviderPreset): string | null =>
  findEnvironmentAddress(preset) ?? preset.default_address;

/** The environment variable that holds a key for a provider; null if none is set or there is no address to send it to. */
export const findEnvironmentKey = (preset: ProviderPreset): string | null =>
  findUsualAddress(preset) === null
    ? null
    : (preset.environment_variables.find((name) => readEnvironmentVariable(name) !== null) ?? null);

const withoutSlash = (address: string): string => {
  const { href } = URL.canParse(address) ? new URL(address) : { href: address };
  return href.replace(/\/+$/, '');
};

/**
 * Whether a key of the environment may be sent to an address: the operator gave it for the provider, and only the operator
 * names another place. Decision: Providers
 */
export const isAddressForEnvironmentKey = (preset: ProviderPreset, address: string | null): boolean =>
  [findEnvironmentAddress(preset), preset.default_address].some(
    (own) => own !== null && (address === null || withoutSlash(address) === withoutSlash(own)),
  );

/**
 * Withholds keys of the environment that earlier versions stored with another address. Their source was not recorded, so
 * they are recognized by the variables of this process.
 */
export async function withholdEnvironmentKeys({
  db,
  secrets,
  log,
}: Pick<Deps, 'log' | 'secrets'> & { db: Db }): Promise<void> {
  const variables = PRESETS.flatMap(({ environment_variables }) => environment_variables);
  const keys = new Set(variables.map((name) => readEnvironmentVariable(name)));
  for (const { id, provider, address, credentials } of await readConnections(db)) {
    const preset = findPreset(provider);
    if (!preset || isAddressForEnvironmentKey(preset, address)) continue;
    for (const { version, key_state, sealed_key } of credentials) {
      if (key_state !== null || sealed_key === null) continue;
      const key = secrets.decrypt('provider-key', id, sealed_key);
      if (key === null || !keys.has(key)) continue;
      const { connection_id } = providerCredentials;
      const credential = and(eq(connection_id, id), eq(providerCredentials.version, version));
      await db
        .update(providerCredentials)
        .set({ key_state: 'withheld' })
        .where(and(credential, isNull(providerCredentials.key_state)));
      log.warn({ provider: id }, 'key of the environment is not sent to another address; enter the key again');
    }
  }
}
