const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/**
 * Connection exceptions, too many connections, a server that shuts down or starts, a transaction that was open for too
 * long, a server that became a read-only standby, and a lock that is held for too long, perhaps by a lost connection.
 */
const SQL_STATES = /^(?:08...|53300|57014|57P0[1-5]|25P03|25006|55P03)$/;
/** Errors of pg and its pool, which have no code. */
const MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable|Cannot use a pool after calling end/;

/** Returns whether the database could not be reached, rather than rejected a statement. */
export function isDatabaseUnreachable(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof AggregateError && at.errors.some((inner) => isDatabaseUnreachable(inner))) return true;
    if ('code' in at && typeof at.code === 'string' && (CONNECTION_CODES.has(at.code) || SQL_STATES.test(at.code)))
      return true;
    if (MESSAGES.test(at.message)) return true;
  }
  return false;
}
