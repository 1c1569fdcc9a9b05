const DISK_FULL_CODES = new Set<unknown>(['53100', 'ENOSPC', 'EDQUOT']);

export function isDiskFull(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && DISK_FULL_CODES.has(at.code)) return true;
  }
  return false;
}
