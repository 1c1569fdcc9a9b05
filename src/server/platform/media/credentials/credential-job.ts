import type { OwnTrust } from '#server/platform/credentials/signing-authority.ts';

/** What a manifest says beside its ingredients and its binding to the file. JSON of the C2PA library. */
export interface ManifestStatement {
  title: string;
  actions: readonly Readonly<Record<string, unknown>>[];
  /** Further assertions by label. */
  assertions: Readonly<Record<string, unknown>>;
}

export interface ManifestIngredient {
  /** Actions refer to it: `ingredientIds`. */
  id: string;
  title: string;
  relationship: 'parentOf' | 'componentOf' | 'inputTo';
  mime_type: string;
  /** A file whose credentials are read and checked. */
  file?: string | undefined;
  /** A file with a manifest store, whose binding to the ingredient's bytes is not checked again. */
  store?: string | undefined;
}

export interface SignJob {
  kind: 'sign';
  file: string;
  format: string;
  statement: ManifestStatement;
  ingredients: readonly ManifestIngredient[];
  /** A WebP of the result. */
  thumbnail: string | null;
  /** Where the signed file is written; null: only the manifest is made, for the hash in `binding`. */
  output: string | null;
  /** The assertion that binds the manifest to the file. */
  binding: { label: string; data: unknown } | null;
  alg: string;
  reserve_bytes: number;
  trust: OwnTrust;
}

export interface InspectJob {
  kind: 'inspect';
  file: string;
  format: string;
  trust: OwnTrust;
}

/** Signs a claim for the process, which never has the key. Both are base64. */
export type AskForSignature = (claim: string) => Promise<string>;

/** For work with files of any origin, which may be made to be slow. */
export const FOREIGN_JOB_MS = 10_000;
/** For files of this service alone. */
export const OWN_JOB_MS = 60_000;
const LIBRARY_BYTES = 32 * 2 ** 20;
/** Memory as a multiple of a file, measured by `npm run bench signing`. */
const FACTORS = { embed: 7, read: 3 } as const;
export const jobBytes = (kind: keyof typeof FACTORS, sizeBytes: number): number =>
  LIBRARY_BYTES + FACTORS[kind] * sizeBytes;
