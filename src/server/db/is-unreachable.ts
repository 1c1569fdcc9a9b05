const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** Connection exceptions, too many connections, a server that shuts down or starts. */
const SQL_STATES = /^(?:08...|53300|57P0[1-5])$/;
const POOL_MESSAGES = /timeout exceeded when trying to connect|Connection terminated/;

/** Returns whether the database could not be reached, rather than rejected a statement. */
export function isDatabaseUnreachable(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof AggregateError && at.errors.some((inner) => isDatabaseUnreachable(inner))) return true;
    if ('code' in at && typeof at.code === 'string' && (CONNECTION_CODES.has(at.code) || SQL_STATES.test(at.code)))
      return true;
    if (POOL_MESSAGES.test(at.message)) return true;
  }
  return false;
}
