import * as z from 'zod/mini';
import { inputContract, modelsForTask, TASKS } from './catalog.ts';
import { type EndpointSpec, endpointErrors } from './endpoint.ts';
import { type EndpointName, endpoints } from './endpoints.ts';
import { ApiErrorResponse } from './errors.ts';
import { TASK_IDS } from './ids.ts';
import { inputSchema } from './input-schema.ts';
import { ApiKey, ApiKeyCreated, Me } from './resources/api-key.ts';
import { Statement, Verification, WhatIf } from './resources/audit.ts';
import { BillingSummary, LedgerEntry, LedgerSums, Reservation, Spending } from './resources/billing.ts';
import { Budget } from './resources/budget.ts';
import { Model, Pricing, Task } from './resources/catalog.ts';
import { Asset, EstimateResponse, Generation, LineItem } from './resources/generation.ts';
import { Derivatives } from './resources/media-derivatives.ts';
import { MediaLineage } from './resources/media-lineage.ts';
import { MediaArchive, MediaDeletion, MediaDetail, MediaItem } from './resources/media.ts';
import { Review, UpstreamJob } from './resources/review.ts';
import { ListedUpload, Upload, UploadDetail } from './resources/upload.ts';
import { SessionCreated, SignInTokenCreated } from './resources/session.ts';
import {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointCreated,
  WebhookEvent,
  WebhookSecretRotated,
} from './resources/webhook.ts';
import { WorkflowDraft, WorkflowEstimate, WorkflowValidation } from './resources/workflow-estimate.ts';
import { WorkflowRun } from './resources/workflow-run.ts';
import { WorkflowStarter } from './resources/workflow-starter.ts';
import { WorkflowDefinition } from './workflow-definition.ts';

type Json = Record<string, unknown>;

const TAGS = {
  Catalog: 'Tasks, models and prices. No key needed.',
  Generations: 'Start, follow, cancel and retry generations.',
  Providers: 'Connect providers, choose their models and prices, and see how they do.',
  Review: 'Outcomes that need a decision, and the state of jobs at providers.',
  Uploads: 'Media to use as references.',
  Media: 'The library: uploads and outputs.',
  Billing: 'Balance, spending and the ledger.',
  Webhooks: 'Notifications when a generation completes.',
  'Workflow runs': 'Runs of workflows: sequences of dependent generations.',
  'Workflow starters': 'Reusable workflows with their input form and price.',
  Keys: 'API keys.',
  Sessions: 'Sign browsers in and out without storing a key in them.',
} as const satisfies Record<(typeof endpoints)[EndpointName]['tag'], string>;

const components = {
  ApiErrorResponse,
  ApiKey,
  ApiKeyCreated,
  PublicAsset: Asset,
  BillingSummaryResponse: BillingSummary,
  Budget,
  Derivatives,
  EstimateResponse,
  Generation,
  LedgerEntry,
  LedgerSums,
  LineItem,
  Me,
  MediaArchive,
  MediaDeletion,
  MediaDetail,
  MediaItem,
  MediaLineage,
  Model,
  Pricing,
  Reservation,
  Review,
  SessionCreated,
  SignInTokenCreated,
  Spending,
  Statement,
  Task,
  ListedUpload,
  MediaUploadResponse: Upload,
  UploadDetail,
  UpstreamJob,
  Verification,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointCreated,
  WhatIf,
  WebhookEvent,
  WebhookSecretRotated,
  WorkflowDefinition,
  WorkflowDraft,
  WorkflowEstimate,
  WorkflowRunResponse: WorkflowRun,
  WorkflowStarter,
  WorkflowValidation,
} as const satisfies Record<string, z.ZodMiniType>;

const componentNames = new Map<unknown, string>(Object.entries(components).map(([name, schema]) => [schema, name]));
const componentRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const toJsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output', root: unknown = null): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // `format` is enough; zod's pattern for dates is a page long.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
      const name = componentNames.get(zodSchema);
      if (!name || zodSchema === root) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, componentRef(name));
    },
  }) as Json;
  return json;
};

const jsonContent = (schema: Json) => ({ 'application/json': { schema } });

const inputSchemaName = (task: string, model: string | null) => [task, model].filter(Boolean).join('.');

/** Every pair of task and model with the name of its input schema. */
const taskModelPairs = () =>
  TASK_IDS.flatMap((task) =>
    (modelsForTask(task).length ? modelsForTask(task) : [null]).map((model) => ({
      task,
      model,
      name: inputSchemaName(task, model),
    })),
  );

const buildInputSchemas = () =>
  Object.fromEntries(
    taskModelPairs().flatMap(({ task, model, name }) => {
      const contract = inputContract(task, model);
      if (!contract) return [];
      const rules = contract.rules.map((rule) => rule.message).join(' ');
      const description = [TASKS[task].description, rules].filter(Boolean).join(' ');
      return [[name, { ...toJsonSchema(inputSchema(contract), 'input'), description }]];
    }),
  );

const generationRequestSchema = (extra: Json) => ({
  oneOf: taskModelPairs().map(({ task, model, name }) => ({
    type: 'object',
    title: name,
    properties: {
      task: { const: task },
      ...(model ? { model: { const: model } } : { model: { type: 'null' } }),
      input: componentRef(name),
      ...extra,
    },
    required: ['task', ...(model ? ['model'] : []), 'input'],
    additionalProperties: false,
  })),
});

function buildRequestBody(name: EndpointName, { body }: EndpointSpec): Json {
  if (!body) return {};
  if (body === 'multipart') {
    const schema = {
      type: 'object',
      properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      required: ['file'],
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  const json = toJsonSchema(body, 'input');
  const { metadata } = (json['properties'] ?? {}) as Json;
  const isOrder = name === 'create_estimate' || name === 'create_generation';
  const schema = isOrder ? generationRequestSchema(metadata ? { metadata } : {}) : json;
  return { requestBody: { required: !body.safeParse(undefined).success, content: jsonContent(schema) } };
}

function buildParameters(spec: EndpointSpec): Json[] {
  const from = (schema: z.ZodMiniType | undefined, where: 'path' | 'query') => {
    if (!schema) return [];
    const properties = (toJsonSchema(schema, 'output')['properties'] ?? {}) as Record<string, Json>;
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path',
      schema,
    }));
  };
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: spec.idempotency === 'required',
    description: 'The same request with the same key takes effect once.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [...from(spec.params, 'path'), ...from(spec.query, 'query'), ...(spec.idempotency ? [idempotency] : [])];
}

function buildSuccessResponse({ response }: EndpointSpec): Json {
  if (response === null) return { description: 'Success, no body' };
  if (response === 'csv') return { description: 'Success', content: { 'text/csv': { schema: { type: 'string' } } } };
  return { description: 'Success', content: jsonContent(toJsonSchema(response, 'output')) };
}

function buildResponses(spec: EndpointSpec): Json {
  const errors = Object.entries(endpointErrors(spec)).map(([status, codes]) => [
    status,
    {
      description: (codes ?? []).map((code) => `\`${code}\``).join(', '),
      content: jsonContent(componentRef('ApiErrorResponse')),
    },
  ]);
  return { [spec.status]: buildSuccessResponse(spec), ...Object.fromEntries(errors) };
}

/** Selects the schemas that the paths refer to, directly or through other schemas. */
function selectReferencedSchemas(paths: Json, schemas: Record<string, Json>): Record<string, Json> {
  const referenced = new Set<string>();
  const follow = (json: Json): void => {
    for (const [, name = ''] of JSON.stringify(json).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas[name];
      if (referenced.has(name) || !schema) continue;
      referenced.add(name);
      follow(schema);
    }
  };
  follow(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => referenced.has(name)));
}

/**
 * Builds the OpenAPI document of a service. Spec: Versioning
 * @param names endpoints that the service implements
 * @param server_url public URL of the service
 */
export function buildOpenApiDocument(names: readonly EndpointName[], server_url: string): Json {
  const paths: Record<string, Json> = {};
  for (const name of names) {
    const spec: EndpointSpec = endpoints[name];
    const operation = {
      operationId: name,
      tags: [spec.tag],
      summary: spec.summary,
      ...(spec.addition ? { description: 'Addition to the interface; other services may not have it.' } : {}),
      security: spec.auth === 'none' ? [] : [{ bearer: [] }],
      ...(buildParameters(spec).length ? { parameters: buildParameters(spec) } : {}),
      ...buildRequestBody(name, spec),
      responses: buildResponses(spec),
    };
    paths[spec.path] = { ...paths[spec.path], [spec.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Emulsion',
      version: '0.1.0',
      summary: 'Media generation and transformation with upfront prices.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server_url }],
    tags: [...new Set(names.map((name) => endpoints[name].tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer mgs_…`.' },
      },
      schemas: selectReferencedSchemas(paths, {
        ...Object.fromEntries(
          Object.entries(components).map(([name, schema]) => [name, toJsonSchema(schema, 'output', schema)]),
        ),
        ...buildInputSchemas(),
      }),
    },
  };
}
