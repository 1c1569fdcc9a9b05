import type { Config } from '#server/platform/core/settings/config.ts';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import type { VariableName } from '#server/platform/core/settings/variables.ts';
import { isDatabaseUnreachable } from './postgres/is-unreachable.ts';

type DatabaseVariable = Extract<VariableName, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>;

interface Described {
  code: string | undefined;
  message: string;
}

/** By code of PostgreSQL, of TLS or of the system. The server's own messages name databases and roles, no secrets. */
const SENTENCES: Readonly<Record<string, (variable: string, message: string) => string>> = {
  '3D000': (variable, message) => `${variable}: ${message}. Create it, or correct the name.`,
  '28P01': (variable) => `The user name or password in ${variable} is wrong.`,
  '28000': (variable, message) =>
    `The server at ${variable} refuses to sign in: ${message}.${/no encryption/.test(message) ? ' Add sslmode=require to the URL.' : ''}`,
  '42501': (variable, message) => `The role in ${variable} lacks a permission: ${message}.`,
  '53300': (variable) => `The database at ${variable} has no free connection.`,
  '25006': (variable) => `The database at ${variable} is read-only: name the primary server.`,
  ENOTFOUND: (variable) => `The host name in ${variable} is unknown.`,
  ENOENT: (variable, message) => `A file or socket named in ${variable} does not exist: ${message}.`,
  ERR_INVALID_URL: (variable) =>
    `${variable} is not a URL such as postgres://user:password@host/database; special characters of the password must be encoded as %XX.`,
};

const TLS_CODES = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|INVALID_CA)/;

const MESSAGES: readonly [RegExp, (variable: string) => string][] = [
  [/does not support SSL/, (variable) => `The server at ${variable} has no TLS: remove sslmode from the URL.`],
  [
    /password must be a (?:non-empty )?string/,
    (variable) => `${variable} has no password, and the server asks for one.`,
  ],
  [/verify-ca requires/, (variable) => `${variable}: sslmode=verify-ca requires sslrootcert.`],
  [/statement pooling/, (variable) => `The pooler at ${variable} pools statements: set its pool_mode to transaction.`],
];

/**
 * Converts an error of the start of a database into a sentence that names the variable; any other error stays what it
 * is.
 */
export function databaseStartError(variable: DatabaseVariable, error: unknown): unknown {
  if (error instanceof ConfigError) return error;
  const sentence = describe(variable, error);
  return sentence === null ? error : new ConfigError(sentence, { cause: error });
}

function describe(variable: string, error: unknown): string | null {
  const causes = listCauses(error);
  for (const { code, message } of causes) {
    const found = MESSAGES.find(([pattern]) => pattern.test(message));
    if (found) return found[1](variable);
    const sentence = code === undefined ? undefined : SENTENCES[code];
    if (sentence) return sentence(variable, message);
    if (code !== undefined && TLS_CODES.test(code))
      return `The TLS certificate of the server at ${variable} is not accepted: ${message}. Name its authority in sslrootcert.`;
  }
  if (isDatabaseUnreachable(error)) return `The database at ${variable} does not respond.`;
  const refusal = causes.find(({ isFatal }) => isFatal);
  return refusal ? `The server at ${variable} refuses the connection: ${refusal.message}.` : null;
}

function listCauses(error: unknown): (Described & { isFatal: boolean })[] {
  const list: (Described & { isFatal: boolean })[] = [];
  for (let at = error; at instanceof Error && list.length < 5; at = at.cause)
    list.push({
      code: 'code' in at && typeof at.code === 'string' ? at.code : undefined,
      message: at.message,
      isFatal: 'severity' in at && at.severity === 'FATAL',
    });
  return list;
}

/** Runs a step of the start that uses the database and no other server. @throws {ConfigError} */
export async function usingDatabase<T>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: () => Promise<T>,
): Promise<T> {
  if (databaseUrl === null) return work();
  try {
    return await work();
  } catch (error) {
    throw databaseStartError('DATABASE_URL', error);
  }
}
