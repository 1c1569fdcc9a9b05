import type { InputContract, MediaKind } from './task.ts';

export interface InputReference {
  /** Dotted: `first_frame`, `reference_images.0`. */
  path: string;
  url: string;
  role: string | null;
  kind: MediaKind;
}

/**
 * Returns every media reference of an input, in the order of the contract's fields.
 * @param input validated by `parseInput`
 */
export function extractReferences(contract: InputContract, input: Readonly<Record<string, unknown>>): InputReference[] {
  return contract.fields.flatMap((field) => {
    const value = input[field.name];
    if (field.kind === 'reference') return parseReference(field.name, field.media, value);
    if (field.kind !== 'references' || !Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) => parseReference(`${field.name}.${index}`, field.media, item));
  });
}

function parseReference(path: string, kind: MediaKind, value: unknown): InputReference[] {
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') return [];
  const role = 'role' in value && typeof value.role === 'string' ? value.role : null;
  return [{ path, url: value.url, role, kind }];
}
