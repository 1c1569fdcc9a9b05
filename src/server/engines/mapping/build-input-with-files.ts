import { randomUUID } from 'node:crypto';
import type { ResolvedReference } from '../engine.ts';

/**
 * An upstream's input, with the files that it names sent first. They are sent once the input is made, for an expression
 * may not take long: until then a name stands for each.
 * @param make gets what names a reference
 * @param send gives what the upstream knows the file by
 */
export async function buildInputWithFiles(
  make: (nameOf: (reference: ResolvedReference) => string) => unknown,
  send: (reference: ResolvedReference) => Promise<string>,
): Promise<unknown> {
  const names = new Map<ResolvedReference, string>();
  const input = await make((reference) => {
    const name = names.get(reference) ?? `file:${randomUUID()}`;
    names.set(reference, name);
    return name;
  });
  const sent = new Map<string, string>();
  for (const [reference, name] of names) sent.set(name, await send(reference));
  return replaceNames(input, sent);
}

function replaceNames(value: unknown, sent: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return sent.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceNames(item, sent));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaceNames(part, sent)]));
}
