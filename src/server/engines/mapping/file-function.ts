import type { ResolvedReference } from '../engine.ts';
import { findReference, type MappingContext } from './mapping-context.ts';

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
