/** Returns the SQLSTATE of a database error, however wrapped; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code)) return at.code;
  }
  return undefined;
}

export const LOCK_NOT_AVAILABLE = '55P03';
