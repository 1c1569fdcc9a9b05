import type { InputContract, MediaKind } from '#contract/task.ts';

/** A reference as it stands in an input. */
export interface Reference {
  /** Dotted: `first_frame`, `reference_images.0`. */
  path: string;
  url: string;
  role: string | null;
  /** What the field takes. */
  kind: MediaKind;
}

/**
 * Every reference of an input, in the order of the contract's fields.
 * @param input judged by `parseInput`
 */
export function referencesOf(contract: InputContract, input: Readonly<Record<string, unknown>>): Reference[] {
  return contract.fields.flatMap((field) => {
    const value = input[field.name];
    if (field.kind === 'reference') return read(field.name, field.media, value);
    if (field.kind !== 'references' || !Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) => read(`${field.name}.${index}`, field.media, item));
  });
}

function read(path: string, kind: MediaKind, value: unknown): Reference[] {
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') return [];
  const role = 'role' in value && typeof value.role === 'string' ? value.role : null;
  return [{ path, url: value.url, role, kind }];
}
