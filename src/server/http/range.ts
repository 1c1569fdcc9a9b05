export interface RequestRange {
  start: number;
  /** Included. */
  end: number;
}

/**
 * The one range of bytes that is asked for; null where the whole is to be sent. Several ranges, or ones of a version
 * that is gone, get the whole, as RFC 9110 allows.
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
