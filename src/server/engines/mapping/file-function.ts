import type { ResolvedReference } from '../engine.ts';
import { findReference, type MappingContext } from './mapping-context.ts';

/**
 * Adds `$file(reference)`, a reference of `references` or its path: what stands for the file in what is sent.
 * @param nameOf the name of a reference
 */
export function withFileFunction(
  context: MappingContext,
  references: readonly ResolvedReference[],
  nameOf: (reference: ResolvedReference) => string,
): MappingContext {
  const file = (argument: unknown): string | undefined => {
    const reference = findReference(references, argument, '$file');
    return reference && nameOf(reference);
  };
  return { ...context, functions: { ...context.functions, file } };
}
