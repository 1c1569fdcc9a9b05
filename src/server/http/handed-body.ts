import { AsyncLocalStorage } from 'node:async_hooks';

/** The body of a request inside of this process, which is not sent as text. */
interface HandedBody {
  value: unknown;
  /** About as many as its JSON has. */
  bytes: number;
}

const handed = new AsyncLocalStorage<{ body: HandedBody | null }>();

/** Runs what sends a request with a body, which the request takes by `takeHandedBody`. */
export const handOver = <T>(body: unknown, send: () => Promise<T>): Promise<T> =>
  handed.run({ body: copyJson(body) }, send);

/** @returns the body of this request, once; null if it comes from outside */
export function takeHandedBody(): HandedBody | null {
  const store = handed.getStore();
  const body = store?.body ?? null;
  // What the request starts may run longer, and must not keep the body.
  if (store) store.body = null;
  return body;
}

/** Copies what JSON would keep, without a copy of texts: what is sent sixteen times is in memory once. */
function copyJson(value: unknown): HandedBody {
  if (typeof value === 'string') return { value, bytes: Buffer.byteLength(value) + 2 };
  if (typeof value !== 'object' || value === null) return { value: value ?? null, bytes: String(value).length };
  if (Array.isArray(value)) {
    const items = value.map(copyJson);
    return { value: items.map((item) => item.value), bytes: sum(items) };
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => ({ name, ...copyJson(field) }));
  const names = fields.reduce((total, { name }) => total + Buffer.byteLength(name) + 3, 0);
  // Not by assignment, which `__proto__` would be lost in.
  return { value: Object.fromEntries(fields.map((field) => [field.name, field.value])), bytes: names + sum(fields) };
}

/** With their commas and brackets. */
const sum = (parts: readonly HandedBody[]): number => parts.reduce((total, { bytes }) => total + bytes + 1, 2);
