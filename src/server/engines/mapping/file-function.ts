import type { ResolvedReference } from '../engine.ts';
import { findReference, type MappingContext } from './mapping-context.ts';

/**
 * Adds `$file(reference)`, a reference of `references` or its path: what the upstream will know the file by. Only the
 * files that an expression names have to be sent.
 * @param nameOf the name of a reference
 * @returns the context, and the references that were named in it up to now
 */
export function withFileFunction(
  context: MappingContext,
  references: readonly ResolvedReference[],
  nameOf: (reference: ResolvedReference) => string,
): { context: MappingContext; named: ReadonlySet<ResolvedReference> } {
  const named = new Set<ResolvedReference>();
  const file = (argument: unknown): string | undefined => {
    const reference = findReference(references, argument, '$file');
    if (reference) named.add(reference);
    return reference && nameOf(reference);
  };
  return { context: { ...context, functions: { ...context.functions, file } }, named };
}
