import * as z from 'zod/mini';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  RETRY_CODES,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import { MAX_LABEL_LENGTH } from '../limits.ts';
import {
  creatorSchema,
  id,
  jsonObject,
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  tagFilter,
  taskId,
  timestamp,
  usd,
} from '../primitives.ts';
import { BILLING_STATUSES, GENERATION_STATUSES } from '../statuses.ts';
import { derivativesSchema } from './media.ts';
import { MEDIA_KINDS } from '../task.ts';

/** `PublicAsset`. Spec: Asset. The measured and the optional fields are an addition. */
export const Asset = z.strictObject({
  id: id('ast'),
  type: z.enum(MEDIA_KINDS),
  url: z.string().check(z.minLength(1)),
  mime_type: z.nullable(z.string()),
  /** Expiry of the link. */
  expires_at: z.nullable(timestamp()),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  duration_seconds: z.nullable(z.number()),
  size_bytes: z.int(),
  /** Expiry of the file; null: kept until it is deleted. */
  kept_until: z.optional(z.nullable(timestamp())),
  /** Deletion time of the file, after which the link is a 404; null: not deleted. */
  removed_at: z.optional(z.nullable(timestamp())),
  /** Whether it has a star in the library. */
  favourite: z.optional(z.boolean()),
  /** Given by a person, or of the source with what was done to it; null: its prompt names it. */
  name: z.optional(z.nullable(z.string())),
  derivatives: derivativesSchema(),
});
export type Asset = z.infer<typeof Asset>;

/**
 * A file of a result that the service can't read as an image, video or audio. Kept as it was received, for download
 * only. An addition.
 */
export const ReceivedFile = z.strictObject({
  id: id('fil'),
  filename: z.string(),
  size_bytes: z.int(),
  /** Why it can't be read, as a sentence. */
  reason: z.string(),
  url: z.string(),
  /** Expiry of the link. */
  expires_at: z.nullable(timestamp()),
});
export type ReceivedFile = z.infer<typeof ReceivedFile>;

export const LineItem = z.strictObject({
  description: z.string(),
  quantity: z.string(),
  unit: z.string(),
  unit_price_usd: usd(),
  amount_usd: usd(),
});

/** What a provider says about a job that is not done yet. */
const ProviderStatus = z.strictObject({
  /** Jobs ahead of this one; null if the provider does not say. */
  queue_position: z.nullable(z.int()),
  /** One line of the provider, such as the last line of its log. */
  stage: z.nullable(z.string()),
  /** Why it is tried again, once two attempts in a row have failed. */
  problem: z.optional(z.string()),
});
export type ProviderStatus = z.infer<typeof ProviderStatus>;

/** Spec: Generation; Decision: Responses */
export const Generation = z.strictObject({
  id: id('gen'),
  object: z.literal('generation'),
  status: z.enum(GENERATION_STATUSES),
  model: z.nullable(modelId()),
  /** Of an added model: the version of its form. An addition. */
  model_version: z.optional(z.int()),
  task: taskId(),
  input: jsonObject(),
  /** Only in lists with a long `input`: texts are cut, long lists and objects left out. An addition. */
  input_truncated: z.optional(z.literal(true)),
  /** 0 to 1; null while unknown. */
  progress: z.nullable(z.number()),
  /** Only while it runs at a provider that says more than its progress. An addition. */
  provider_status: z.optional(ProviderStatus),
  output: z.strictObject({
    assets: z.array(Asset),
    data: z.nullable(jsonObject()),
    /** Absent without any. An addition. */
    files: z.optional(z.array(ReceivedFile)),
  }),
  usage: z.strictObject({
    amount_usd: usd(),
    line_items: z.array(LineItem),
    billing_status: z.enum(BILLING_STATUSES),
    refunded_usd: z.optional(usd()),
  }),
  error: z.nullable(z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() })),
  metadata: z.nullable(z.record(z.string(), z.string())),
  /** Values of the organization's tags, which billing counts by; absent without any. An addition. */
  tags: z.optional(z.record(z.string(), z.string())),
  retry_of: z.nullable(id('gen')),
  workflow_run_id: z.nullable(id('run')),
  /** The batch that it was ordered with. An addition. */
  batch_id: z.optional(z.nullable(id('bat'))),
  created_by: creatorSchema(),
  created_at: timestamp(),
  started_at: z.nullable(timestamp()),
  updated_at: timestamp(),
  completed_at: z.nullable(timestamp()),
});
export type Generation = z.infer<typeof Generation>;

/** Task, model and input are validated later, in the order of Decision: Order of checks. */
const requestFields = { task: z.string(), model: z.optional(z.nullable(z.string())), input: jsonObject() };

export const EstimateRequest = z.strictObject(requestFields);
export type EstimateRequest = z.infer<typeof EstimateRequest>;

export const MAX_METADATA_VALUES = 50;

export const metadataSchema = () =>
  z
    .record(z.string().check(z.minLength(1), z.maxLength(40)), z.string().check(z.maxLength(500)))
    .check(
      z.refine(
        (metadata) => Object.keys(metadata).length <= MAX_METADATA_VALUES,
        `Metadata can have at most ${MAX_METADATA_VALUES} values.`,
      ),
    );

/** Decision: Requests */
export const GenerationCreate = z.strictObject({
  ...requestFields,
  metadata: z.optional(z.nullable(metadataSchema())),
});
export type GenerationCreate = z.infer<typeof GenerationCreate>;

export const EstimateResponse = z.strictObject({
  object: z.literal('estimate'),
  task: taskId(),
  model: z.nullable(modelId()),
  currency: z.literal('usd'),
  amount_usd: usd(),
  minimum_usd: usd(),
  basis: z.enum(['exact', 'upper_bound', 'lower_bound']),
  line_items: z.array(LineItem),
});
export type EstimateResponse = z.infer<typeof EstimateResponse>;

/** The most generations that one request cancels. */
const MAX_CANCELED = 500;

/**
 * `ids`: these generations, queued or running. `status`: all queued ones of the caller (their keys included) that belong
 * to no workflow run, the newest first.
 */
export const GenerationCancellationRequest = z
  .strictObject({
    ids: z.optional(z.array(pathId()).check(z.minLength(1), z.maxLength(MAX_CANCELED))),
    status: z.optional(z.literal('queued')),
  })
  .check(
    z.refine(({ ids, status }) => (ids === undefined) !== (status === undefined), {
      message: 'Send either ids or status.',
      path: ['ids'],
    }),
  );
export type GenerationCancellationRequest = z.infer<typeof GenerationCancellationRequest>;

export const GenerationCancellation = z.strictObject({
  object: z.literal('generation_cancellation'),
  canceled: z.array(id('gen')),
  kept: z.array(
    z.strictObject({
      id: z.string(),
      /** Why it was not canceled: it is complete or in review; null: it is unknown. */
      status: z.nullable(z.enum(GENERATION_STATUSES)),
    }),
  ),
  /** There are more queued ones than one request cancels. */
  has_more: z.boolean(),
});
export type GenerationCancellation = z.infer<typeof GenerationCancellation>;

export const GENERATION_SORTS = ['created_at', 'duration', 'cost'] as const;

const generationParams = z.object({ generation_id: pathId() });

export const generationEndpoints = defineEndpoints('Generations', {
  list_generations: {
    summary: 'List generations, newest first or sorted',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Work of this person and their keys only. An addition. */
      person_id: z.optional(pathId()),
      /** An addition. */
      tags: tagFilter(),
      /** Only generations with an output that has this label. An addition. */
      label: z.optional(z.string().check(z.maxLength(MAX_LABEL_LENGTH))),
      /** Generations of this batch only. An addition. */
      batch_id: z.optional(pathId()),
      status: z.optional(z.enum(GENERATION_STATUSES)),
      task: z.optional(taskId()),
      model: z.optional(modelId()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      q: z.optional(z.string().check(z.maxLength(500))),
      /** What the list is ordered by: `duration` is the time that it ran, `cost` the amount before refunds. An addition. */
      sort: z.optional(z.enum(GENERATION_SORTS)),
      /** `desc` by default. Generations without a duration come last. An addition. */
      order: z.optional(z.enum(['desc', 'asc'])),
    }),
    status: 200,
    response: listSchema(Generation),
    errors: { 422: INVALID_REQUEST },
  },
  create_generation: {
    summary: 'Start a generation',
    body: GenerationCreate,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: GENERATION_REQUEST_CODES,
      402: ['insufficient_balance'],
      409: ['idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  get_generation: {
    summary: 'Read a generation',
    params: generationParams,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: INVALID_REQUEST },
  },
  cancel_generation: {
    summary: 'Cancel a generation and release its reservation',
    params: generationParams,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  cancel_generations: {
    summary: 'Cancel several generations, or all own queued ones',
    body: GenerationCancellationRequest,
    status: 200,
    response: GenerationCancellation,
    errors: { 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  retry_generation: {
    summary: 'Retry a failed or canceled generation',
    params: generationParams,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: GENERATION_REQUEST_CODES,
      402: ['insufficient_balance'],
      404: ['generation_not_found'],
      409: RETRY_CODES,
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
});
