/** A key that makes a request take effect once however often it is sent. Works on plain HTTP too, where randomUUID is absent. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
