import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { taskId, timestamp } from '../primitives.ts';
import { mediaIdSchema, mediaParams, UNKNOWN_MEDIA } from './media.ts';

/** `generated`: made by an AI model; `edited`: from a source that one changed, or with parts that one made. */
const AI_LABELS = ['generated', 'edited'] as const;
export type AiLabel = (typeof AI_LABELS)[number];

/**
 * - `valid`: the signature is correct and the file is unchanged.
 * - `history_problem`: the same, but a step that it was made from was changed, or had faulty credentials, before.
 * - `changed`: the file or its credentials were changed after they were signed.
 * - `invalid`: the signature or the certificate can't be used.
 * - `none`: the file has no credentials.
 * - `too_complex`: it has more parts or steps than are read, or they take longer than ten seconds.
 */
const CREDENTIAL_STATES = ['valid', 'history_problem', 'changed', 'invalid', 'none', 'too_complex'] as const;
export type CredentialState = (typeof CREDENTIAL_STATES)[number];

/** `changed`: after it was signed and before it was used; `invalid`: its signature or certificate could not be used. */
const STEP_PROBLEMS = ['changed', 'invalid'] as const;
export type StepProblem = (typeof STEP_PROBLEMS)[number];

const CredentialAction = z.strictObject({
  /** As in the specification of C2PA: `c2pa.created`. */
  action: z.string(),
  at: z.nullable(timestamp()),
  /** The model or program that did it. */
  software: z.nullable(z.string()),
  /** Last part of the digital source type: `trainedAlgorithmicMedia`. */
  source_type: z.nullable(z.string()),
});
export type CredentialAction = z.infer<typeof CredentialAction>;

/** One signed step in the life of a file. All texts are those of the file, shortened, and may be hostile. */
const CredentialStep = z.strictObject({
  title: z.nullable(z.string()),
  /** The program that signed. */
  generator: z.nullable(z.string()),
  /** Name in the certificate. */
  signer: z.nullable(z.string()),
  /** With a certificate of this installation. */
  is_own: z.boolean(),
  signed_at: z.nullable(timestamp()),
  /** Of a step that the file was made from. */
  problem: z.nullable(z.enum(STEP_PROBLEMS)),
  /** People who vouch for it by a CAWG identity assertion. Nobody here checks who they are. */
  identities: z.array(
    z.strictObject({
      name: z.nullable(z.string()),
      /** Its signature does not fit, or it can't be read. */
      is_faulty: z.boolean(),
    }),
  ),
  task: z.nullable(taskId()),
  model: z.nullable(z.string()),
  provider: z.nullable(z.string()),
  /** Only where the organization includes it. */
  prompt: z.nullable(z.string()),
  actions: z.array(CredentialAction),
  ai: z.nullable(z.enum(AI_LABELS)),
  /** A data URL of a JPEG, PNG or WebP. */
  thumbnail: z.nullable(z.string()),
  /** What it was made from. */
  ingredients: z.array(
    z.strictObject({
      title: z.nullable(z.string()),
      /** `parent`: the file was made by changing it; `part`: it is in the file; `input`: a model looked at it. */
      relationship: z.enum(['parent', 'part', 'input']),
      /** Index among the steps; null: it has no credentials of its own. */
      step: z.nullable(z.int()),
      problem: z.nullable(z.enum(STEP_PROBLEMS)),
    }),
  ),
});
export type CredentialStep = z.infer<typeof CredentialStep>;

export const CredentialReport = z.strictObject({
  object: z.literal('credential_report'),
  state: z.enum(CREDENTIAL_STATES),
  /** A sentence for people; null if `valid`. */
  problem: z.nullable(z.string()),
  ai: z.nullable(z.enum(AI_LABELS)),
  /** The newest first, at most fifty. */
  steps: z.array(CredentialStep),
  /** Whether the file has more steps than are listed. */
  has_more_steps: z.boolean(),
});
export type CredentialReport = z.infer<typeof CredentialReport>;

/** `none`: made before credentials were signed, an upload without any or too complex to tell, or not signed yet. */
const CREDENTIAL_PLACES = ['embedded', 'sidecar', 'none'] as const;
export type CredentialPlace = (typeof CREDENTIAL_PLACES)[number];

const MediaCredentials = z.strictObject({
  object: z.literal('media_credentials'),
  media_id: mediaIdSchema(),
  place: z.enum(CREDENTIAL_PLACES),
  /** Of the manifest beside the file. */
  sidecar_url: z.nullable(z.string()),
  report: CredentialReport,
  /** Whether the signed hash fits the stored record of the generation; null: nothing was signed here. */
  record_matches: z.nullable(z.boolean()),
});
export type MediaCredentials = z.infer<typeof MediaCredentials>;

/** The certificate that new results are signed with. */
const SigningCertificate = z.strictObject({
  object: z.literal('signing_certificate'),
  /** `self_made`: proves that a file is unchanged; `operator`: also who signed, if its issuer is on a trust list. */
  kind: z.enum(['self_made', 'operator']),
  subject: z.string(),
  issuer: z.string(),
  expires_at: timestamp(),
  /** Host of the time stamp authority; null: times are those of this service's clock. */
  time_stamp_host: z.nullable(z.string()),
});
export type SigningCertificate = z.infer<typeof SigningCertificate>;

export const MAX_VERIFIED_BYTES = 104_857_600;

export const credentialEndpoints = defineEndpoints('Content credentials', {
  verify_credentials: {
    summary: 'Check the content credentials of a file without storing it',
    body: 'multipart',
    status: 200,
    response: CredentialReport,
    errors: {
      400: ['invalid_media_upload'],
      408: ['media_upload_timeout'],
      413: ['media_upload_too_large'],
      503: ['service_unavailable'],
    },
  },
  get_media_credentials: {
    summary: 'Check the content credentials of a media item',
    params: mediaParams,
    status: 200,
    response: MediaCredentials,
    errors: { ...UNKNOWN_MEDIA, 503: ['media_storage_unavailable', 'service_unavailable'] },
  },
  get_signing_certificate: {
    summary: 'Read the certificate that results are signed with',
    status: 200,
    response: SigningCertificate,
    errors: { 422: INVALID_REQUEST },
  },
});
