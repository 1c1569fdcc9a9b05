import { randomUUID } from 'node:crypto';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { findReference, type MappingContext } from './mapping-context.ts';

/**
 * Builds an input before uploading the files that it names, because the time of an expression is limited.
 * @param build receives a function that returns the placeholder of a reference
 */
export async function buildInputWithFiles(
  build: (nameReference: (reference: ResolvedReference) => string) => unknown,
  upload: (reference: ResolvedReference) => Promise<string>,
): Promise<unknown> {
  const names = new Map<ResolvedReference, string>();
  const input = await build((reference) => {
    const name = names.get(reference) ?? `file:${randomUUID()}`;
    names.set(reference, name);
    return name;
  });
  const uploaded = new Map<string, string>();
  for (const [reference, name] of names) uploaded.set(name, await upload(reference));
  return replaceNames(input, uploaded);
}

function replaceNames(value: unknown, uploaded: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return uploaded.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceNames(item, uploaded));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceNames(item, uploaded)]));
}

/** Adds `$file(reference)`, which takes an item of `references` or its path and returns the name of the file. */
export function withFileFunction(
  context: MappingContext,
  references: readonly ResolvedReference[],
  nameReference: (reference: ResolvedReference) => string,
): MappingContext {
  const file = (argument: unknown): string | undefined => {
    const reference = findReference(references, argument, '$file');
    return reference && nameReference(reference);
  };
  return { ...context, functions: { ...context.functions, file } };
}
