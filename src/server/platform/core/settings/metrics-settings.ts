import { ConfigError, type ReadText } from './config-error.ts';

export interface MetricsSettings {
  /** Serves them at `/metrics` to whoever sends it; null: only on `port`. */
  token: string | null;
  /** Serves them on a port of their own, to whoever reaches it; null: only with the token. */
  port: number | null;
  /** Whether they contain the funds of each organization. */
  has_funds: boolean;
}

const MIN_TOKEN_CHARACTERS = 16;

/** @returns null: there are no metrics @throws {ConfigError} */
export function readMetricsSettings(readText: ReadText): MetricsSettings | null {
  const [token, port, funds] = [readText('METRICS_TOKEN'), readText('METRICS_PORT'), readText('METRICS_FUNDS')];
  if (token !== null && (token.length < MIN_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)))
    throw new ConfigError(`METRICS_TOKEN must have at least ${MIN_TOKEN_CHARACTERS} printable characters.`);
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    throw new ConfigError('METRICS_PORT must be a whole number from 1 to 65535.');
  if (port !== null && port === readText('PORT'))
    throw new ConfigError('METRICS_PORT must not be the PORT of the service.');
  if (funds !== null && funds !== 'on' && funds !== 'off') throw new ConfigError('METRICS_FUNDS must be on or off.');
  if (token === null && port === null) {
    if (funds === 'on') throw new ConfigError('METRICS_FUNDS requires METRICS_TOKEN or METRICS_PORT.');
    return null;
  }
  return { token, port: port === null ? null : Number(port), has_funds: funds === 'on' };
}
