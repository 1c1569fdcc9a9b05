export interface RequestRange {
  start: number;
  end: number;
}

/**
 * Parses a Range header. Returns null for a full response: several ranges, or a range of an outdated version, get the
 * whole, as RFC 9110 allows.
 */
export function parseRange(
  headers: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  { size_bytes, ...version }: { size_bytes: number; etag: string; 'last-modified': string },
): RequestRange | 'unsatisfiable' | null {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== version.etag && condition !== version['last-modified']) return null;
  const [match, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(headers.range ?? '') ?? [];
  if (match === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const length = Math.min(Number(to), size_bytes);
    return length === 0 ? 'unsatisfiable' : { start: size_bytes - length, end: size_bytes - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size_bytes - 1 : Math.min(Number(to), size_bytes - 1);
  if (to !== '' && Number(to) < start) return null;
  return start >= size_bytes ? 'unsatisfiable' : { start, end };
}
