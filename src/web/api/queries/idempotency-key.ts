/** A key that makes a request take effect once however often it is sent. Works on plain HTTP too, where randomUUID is absent. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One idempotency key for each different body: sending a body again, after an error too, takes effect once. */
export function createIdempotencyKeys(): (body: unknown) => string {
  const keys = new Map<string, string>();
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? newIdempotencyKey();
    keys.set(text, key);
    return key;
  };
}
