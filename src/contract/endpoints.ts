import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { listOf, modelId, pathId, queryDateTime, queryInteger, queryOf, taskId } from './primitives.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated, Me } from './resources/api-key.ts';
import { BillingSummary, CreditCreate, LEDGER_TYPES, LedgerEntry } from './resources/billing.ts';
import { Model, Pricing, Task } from './resources/catalog.ts';
import {
  EstimateRequest,
  EstimateResponse,
  Generation,
  GENERATION_STATUSES,
  GenerationCreate,
} from './resources/generation.ts';
import { Upload } from './resources/upload.ts';
import { WebhookEndpoint, WebhookEndpointCreate, WebhookEndpointCreated } from './resources/webhook.ts';
import { STARTER_SLUG, WorkflowRun, WorkflowRunCancel } from './resources/workflow-run.ts';

export type Method = 'GET' | 'POST' | 'DELETE';
/** Who may call: anybody, any key but a publishing one, an organization key, or also a publishing credential. */
export type Auth = 'none' | 'bearer' | 'organization' | 'upload';

export interface EndpointSpec {
  method: Method;
  /** Path parameters in braces. */
  path: string;
  auth: Auth;
  tag: string;
  summary: string;
  params?: z.ZodMiniType<Record<string, string>>;
  query?: z.ZodMiniType<Record<string, unknown>>;
  /** A JSON body, or the binary field `file` of a form; without it a body is refused unless it is empty. */
  body?: z.ZodMiniType | 'multipart';
  idempotency?: 'optional' | 'required';
  status: 200 | 201 | 204;
  /** null: an empty body. */
  response: z.ZodMiniType | null;
  /** What the interface lists, less what every endpoint has: see `errorsOf`. */
  errors: Partial<Record<number, readonly ErrorCode[]>>;
  /** Beyond the interface; a service may lack it. */
  addition?: true;
}

const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

/** Spec: Per-endpoint errors */
const ORDER_CODES = [
  'invalid_request',
  'task_not_found',
  'task_unavailable',
  'model_required',
  'model_not_allowed',
  'model_not_found',
  'model_unavailable',
  'unsupported_task',
] as const;
const RETRY_CODES = ['active_retry_exists', 'idempotency_conflict', 'retry_not_allowed', 'retry_not_latest'] as const;
const invalid = ['invalid_request'] as const;
const down = ['service_unavailable'] as const;

const generationId = z.object({ generation_id: pathId() });
const workflowRunId = z.object({ workflow_run_id: pathId() });
const cursor = () => z.optional(z.string().check(z.maxLength(1024)));

/** Every endpoint, once. Routes, typed client and OpenAPI derive from it. Spec: Endpoints */
export const endpoints = {
  list_tasks: endpoint({
    method: 'GET',
    path: '/v1/tasks',
    auth: 'none',
    tag: 'Catalog',
    summary: 'List tasks',
    status: 200,
    response: listOf(Task),
    errors: { 503: down },
  }),
  list_models: endpoint({
    method: 'GET',
    path: '/v1/models',
    auth: 'none',
    tag: 'Catalog',
    summary: 'List models',
    status: 200,
    response: listOf(Model),
    errors: { 503: down },
  }),
  get_pricing: endpoint({
    method: 'GET',
    path: '/v1/pricing',
    auth: 'none',
    tag: 'Catalog',
    summary: 'Read published prices',
    status: 200,
    response: Pricing,
    errors: { 503: down },
  }),
  create_estimate: endpoint({
    method: 'POST',
    path: '/v1/estimate',
    auth: 'none',
    tag: 'Catalog',
    summary: 'Price a request without running it',
    body: EstimateRequest,
    status: 200,
    response: EstimateResponse,
    errors: { 400: ORDER_CODES, 422: invalid, 503: down },
  }),
  list_generations: endpoint({
    method: 'GET',
    path: '/v1/generations',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'List generations, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 200),
      cursor: cursor(),
      status: z.optional(z.enum(GENERATION_STATUSES)),
      task: z.optional(taskId()),
      model: z.optional(modelId()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      /** Text to find in the prompt or query. */
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listOf(Generation),
    errors: { 422: invalid },
  }),
  create_generation: endpoint({
    method: 'POST',
    path: '/v1/generations',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Start a generation',
    body: GenerationCreate,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: ORDER_CODES,
      402: ['insufficient_balance'],
      409: ['idempotency_conflict'],
      422: invalid,
      503: down,
    },
  }),
  get_generation: endpoint({
    method: 'GET',
    path: '/v1/generations/{generation_id}',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Read a generation',
    params: generationId,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: invalid },
  }),
  cancel_generation: endpoint({
    method: 'POST',
    path: '/v1/generations/{generation_id}/cancel',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Cancel a generation; its reservation comes back',
    params: generationId,
    status: 200,
    response: Generation,
    errors: { 404: ['generation_not_found'], 422: invalid, 503: down },
  }),
  retry_generation: endpoint({
    method: 'POST',
    path: '/v1/generations/{generation_id}/retry',
    auth: 'bearer',
    tag: 'Generations',
    summary: 'Start a failed or canceled generation again',
    params: generationId,
    idempotency: 'optional',
    status: 201,
    response: Generation,
    errors: {
      400: ORDER_CODES,
      402: ['insufficient_balance'],
      404: ['generation_not_found'],
      409: RETRY_CODES,
      422: invalid,
      503: down,
    },
  }),
  create_upload: endpoint({
    method: 'POST',
    path: '/v1/uploads',
    auth: 'upload',
    tag: 'Uploads',
    summary: 'Upload a picture, a video or a sound',
    body: 'multipart',
    status: 201,
    response: Upload,
    errors: {
      400: ['invalid_media_upload'],
      408: ['media_upload_timeout'],
      413: ['media_upload_too_large'],
      503: ['media_storage_unavailable', 'service_unavailable'],
    },
  }),
  list_uploads: endpoint({
    method: 'GET',
    path: '/v1/uploads',
    auth: 'bearer',
    tag: 'Uploads',
    summary: 'List uploads, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 200),
      cursor: cursor(),
      type: z.optional(z.enum(['image', 'video', 'audio'])),
    }),
    status: 200,
    response: listOf(Upload),
    errors: { 400: invalid, 422: invalid },
    addition: true,
  }),
  delete_upload: endpoint({
    method: 'DELETE',
    path: '/v1/uploads/{upload_id}',
    auth: 'bearer',
    tag: 'Uploads',
    summary: 'Remove an upload',
    params: z.object({ upload_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: invalid },
    addition: true,
  }),
  get_billing_summary: endpoint({
    method: 'GET',
    path: '/v1/billing/summary',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'Read funds and spending',
    query: queryOf({ from: queryDateTime(), to: queryDateTime() }),
    status: 200,
    response: BillingSummary,
    errors: { 422: invalid },
  }),
  list_ledger: endpoint({
    method: 'GET',
    path: '/v1/billing/ledger',
    auth: 'bearer',
    tag: 'Billing',
    summary: 'List ledger entries, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 100),
      cursor: cursor(),
      type: z.optional(z.enum(LEDGER_TYPES)),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      generation_id: z.optional(pathId()),
      workflow_run_id: z.optional(pathId()),
    }),
    status: 200,
    response: listOf(LedgerEntry),
    errors: { 400: invalid, 422: invalid },
  }),
  create_credit: endpoint({
    method: 'POST',
    path: '/v1/billing/credits',
    auth: 'organization',
    tag: 'Billing',
    summary: 'Add credit, or correct the balance',
    body: CreditCreate,
    status: 201,
    response: LedgerEntry,
    errors: { 400: invalid, 422: invalid },
    addition: true,
  }),
  list_webhook_endpoints: endpoint({
    method: 'GET',
    path: '/v1/webhooks/endpoints',
    auth: 'organization',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    status: 200,
    response: listOf(WebhookEndpoint),
    errors: {},
  }),
  create_webhook_endpoint: endpoint({
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    auth: 'organization',
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint; its secret is shown once',
    body: WebhookEndpointCreate,
    status: 200,
    response: WebhookEndpointCreated,
    errors: { 400: invalid, 422: invalid, 503: down },
  }),
  delete_webhook_endpoint: endpoint({
    method: 'DELETE',
    path: '/v1/webhooks/endpoints/{endpoint_id}',
    auth: 'organization',
    tag: 'Webhooks',
    summary: 'Deactivate a webhook endpoint',
    params: z.object({ endpoint_id: z.uuid() }),
    status: 204,
    response: null,
    errors: { 404: ['webhook_endpoint_not_found'], 422: invalid },
  }),
  list_workflow_runs: endpoint({
    method: 'GET',
    path: '/v1/workflow-runs',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'List workflow runs, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 200),
      cursor: cursor(),
      starter_slug: z.optional(z.string().check(z.maxLength(100), z.regex(STARTER_SLUG))),
      status: z.optional(z.string()),
    }),
    status: 200,
    response: listOf(WorkflowRun),
    errors: { 400: invalid, 422: invalid },
  }),
  get_workflow_run: endpoint({
    method: 'GET',
    path: '/v1/workflow-runs/{workflow_run_id}',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'Read a workflow run',
    params: workflowRunId,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: invalid },
  }),
  cancel_workflow_run: endpoint({
    method: 'POST',
    path: '/v1/workflow-runs/{workflow_run_id}/cancel',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'Cancel a workflow run',
    params: workflowRunId,
    body: WorkflowRunCancel,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: invalid, 503: down },
  }),
  retry_workflow_run: endpoint({
    method: 'POST',
    path: '/v1/workflow-runs/{workflow_run_id}/retry',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'Run a workflow again from where it failed',
    params: workflowRunId,
    idempotency: 'required',
    status: 201,
    response: WorkflowRun,
    errors: {
      400: ['idempotency_key_required', 'invalid_request'],
      402: ['insufficient_balance'],
      404: ['workflow_run_not_found'],
      409: RETRY_CODES,
      422: invalid,
      503: down,
    },
  }),
  get_me: endpoint({
    method: 'GET',
    path: '/v1/me',
    auth: 'bearer',
    tag: 'Keys',
    summary: 'Read who the key belongs to',
    status: 200,
    response: Me,
    errors: {},
    addition: true,
  }),
  list_api_keys: endpoint({
    method: 'GET',
    path: '/v1/api-keys',
    auth: 'organization',
    tag: 'Keys',
    summary: 'List keys',
    status: 200,
    response: listOf(ApiKey),
    errors: {},
    addition: true,
  }),
  create_api_key: endpoint({
    method: 'POST',
    path: '/v1/api-keys',
    auth: 'organization',
    tag: 'Keys',
    summary: 'Make a key; it is shown once',
    body: ApiKeyCreate,
    status: 201,
    response: ApiKeyCreated,
    errors: { 400: invalid, 422: invalid },
    addition: true,
  }),
  delete_api_key: endpoint({
    method: 'DELETE',
    path: '/v1/api-keys/{key_id}',
    auth: 'organization',
    tag: 'Keys',
    summary: 'Revoke a key',
    params: z.object({ key_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: invalid },
    addition: true,
  }),
} as const satisfies Record<string, EndpointSpec>;

export type EndpointName = keyof typeof endpoints;
export type Endpoints = typeof endpoints;

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : undefined;
type Given<S> = S extends z.ZodMiniType ? z.input<S> : undefined;
type Get<E, K extends string> = E extends Record<K, infer V> ? V : undefined;

/** What a handler gets. */
export type ParamsOf<N extends EndpointName> = Parsed<Get<Endpoints[N], 'params'>>;
export type QueryOf<N extends EndpointName> = Parsed<Get<Endpoints[N], 'query'>>;
export type BodyOf<N extends EndpointName> = Parsed<Get<Endpoints[N], 'body'>>;
/** What a caller gives. */
export type BodyInput<N extends EndpointName> = Given<Get<Endpoints[N], 'body'>>;
/** What a call answers. */
export type ResponseOf<N extends EndpointName> = Parsed<Endpoints[N]['response']>;

/**
 * Every status and code an endpoint may answer with, those that all endpoints share included.
 * Spec: Endpoints; Decision: Errors, Limits
 */
export function errorsOf(spec: EndpointSpec): Partial<Record<number, readonly ErrorCode[]>> {
  return {
    ...spec.errors,
    ...(spec.auth === 'none' ? {} : { 401: ['authentication_error'] }),
    ...(spec.body && spec.body !== 'multipart' ? { 413: ['invalid_request'] } : {}),
    429: ['rate_limit_exceeded'],
    500: ['internal_error'],
  };
}
