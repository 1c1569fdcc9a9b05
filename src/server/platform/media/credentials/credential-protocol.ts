import * as z from 'zod/mini';
import { CredentialReport } from '#contract/resources/credentials.ts';

const { object: _object, ...reportFields } = CredentialReport.shape;
export const Inspection = z.strictObject({
  ...reportFields,
  /** The salted hash in the newest step. */
  record_hash: z.nullable(z.string()),
  /** The assertion that binds a manifest to a file which is not beside it. */
  binding: z.nullable(z.strictObject({ label: z.string(), hash: z.string() })),
});
export type Inspection = z.infer<typeof Inspection>;

export const CredentialResponse = z.union([
  /** The process asks for a signature, and continues after it. */
  z.strictObject({ claim: z.string() }),
  z.strictObject({ manifest: z.string() }),
  z.strictObject({ inspection: Inspection }),
  z.strictObject({ problem: z.string() }),
]);
export type CredentialResponse = z.infer<typeof CredentialResponse>;

/** A report without steps. */
export const emptyInspection = (state: Inspection['state'], problem: string): Inspection => ({
  state,
  problem,
  ai: null,
  steps: [],
  has_more_steps: false,
  record_hash: null,
  binding: null,
});

export const tooComplexInspection = (): Inspection =>
  emptyInspection(
    'too_complex',
    'This file is too complex to check: it has too many parts or steps, or they take too long to read.',
  );
