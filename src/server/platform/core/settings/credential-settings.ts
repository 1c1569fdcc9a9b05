import { ConfigError, type ReadText } from './config-error.ts';

export interface CredentialSettings {
  /** PEM files of the operator; null: a self-made certificate signs. */
  certificate: { certFile: string; keyFile: string } | null;
  /** Of a time stamp authority, RFC 3161; null: signatures have no time stamp. */
  timeStampUrl: string | null;
}

/** @throws {ConfigError} */
export function readCredentialSettings(readText: ReadText): CredentialSettings {
  const [certFile, keyFile, timeStampUrl] = (['C2PA_CERT_FILE', 'C2PA_KEY_FILE', 'C2PA_TSA_URL'] as const).map(
    readText,
  );
  if (certFile && !keyFile) throw new ConfigError('C2PA_KEY_FILE is required by C2PA_CERT_FILE.');
  if (keyFile && !certFile) throw new ConfigError('C2PA_CERT_FILE is required by C2PA_KEY_FILE.');
  if (timeStampUrl && !isHttpsUrl(timeStampUrl))
    throw new ConfigError('C2PA_TSA_URL must be a URL such as https://tsa.example.com/rfc3161, without credentials.');
  return { certificate: certFile && keyFile ? { certFile, keyFile } : null, timeStampUrl: timeStampUrl ?? null };
}

function isHttpsUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === 'https:' && !url.username && !url.password && !url.hash;
}
