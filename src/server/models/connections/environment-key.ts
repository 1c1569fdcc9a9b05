import { trimEnd } from '#contract/trim-end.ts';
import { readEnvironmentVariable } from '#server/platform/core/settings/config.ts';
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
  return trimEnd(href, '/');
};

/**
 * Whether a key of the environment may be sent to an address: the operator gave it for the provider, and only the operator
 * names another place. Decision: Providers
 */
export const isAddressForEnvironmentKey = (preset: ProviderPreset, address: string | null): boolean =>
  [findEnvironmentAddress(preset), preset.default_address].some(
    (own) => own !== null && (address === null || withoutSlash(address) === withoutSlash(own)),
  );
