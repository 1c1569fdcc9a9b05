import type * as z from 'zod/mini';
import { type EndpointSpec, endpointErrors } from './endpoint.ts';
import { SESSION_HEADER } from './headers.ts';
import { sessionCookieName } from '#contract/resources/session.ts';
import { type EndpointName, endpoints } from './endpoints.ts';
import {
  buildComponentSchemas,
  componentRef,
  generationRequestSchema,
  type Json,
  toJsonSchema,
} from './openapi-schemas.ts';

const TAGS = {
  Catalog: 'Tasks, models and prices. No key needed.',
  Generations: 'Start, follow, cancel and retry generations.',
  Batches: 'Several generations at once or one after the other, with progress, limits and results as CSV.',
  'Audit log': 'Who changed what, from where, in an append-only log.',
  Providers: 'Connect providers, choose their models and prices, and see how they do.',
  Requests: 'Ask for more of a budget or for an order above the limit, and decide.',
  Review: 'Outcomes that need a decision, and the state of jobs at providers.',
  Uploads: 'Media to use as references.',
  Media: 'The library: uploads and outputs.',
  'Content credentials': 'Signed statements of what a file is and how it was made (C2PA).',
  Collections: 'Named groups of media.',
  Shares: 'Public pages of media and collections, for people without a key.',
  Billing: 'Balance, spending, the ledger, and the bills of providers.',
  Tags: 'Properties of work that spending is grouped by, such as projects and clients.',
  Presets: 'Saved forms, one’s own or shared, and one’s own recent prompts.',
  Webhooks: 'Notifications when a generation completes or an alert is raised.',
  'Added models': 'Models of connected providers, added by their schemas.',
  Alerts: 'What needs attention: funds, budgets, providers, webhooks, reviews and the ledger.',
  'Workflow runs': 'Runs of workflows: sequences of dependent generations.',
  'Workflow starters': 'Reusable workflows with their input form and price.',
  Keys: 'API keys.',
  Sessions: 'Sign browsers in and out without storing a key in them.',
  People: 'People, their roles and invitations.',
  Settings: 'Settings of the organization.',
} as const satisfies Record<(typeof endpoints)[EndpointName]['tag'], string>;

const jsonContent = (schema: Json) => ({ 'application/json': { schema } });

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
  if (body === 'file') {
    const schema = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The bytes of a file' };
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema } } } };
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
  const session = {
    name: SESSION_HEADER,
    in: 'header',
    required: false,
    description: 'Sets the secret as a cookie that scripts cannot read, and leaves it out of the response.',
    schema: { type: 'string', enum: ['cookie'] },
  };
  return [
    ...from(spec.params, 'path'),
    ...from(spec.query, 'query'),
    ...(spec.idempotency ? [idempotency] : []),
    ...(spec.opens_session ? [session] : []),
  ];
}

/** Types of files other than CSV. */
export const FILE_TYPES = {
  zip: 'application/zip',
  pdf: 'application/pdf',
  file: 'application/octet-stream',
} as const;

function buildSuccessResponse({ status, response }: EndpointSpec): Json {
  if (status === 302) return { description: 'A redirect' };
  if (response === null) return { description: 'Success, no body' };
  if (response === 'csv') return { description: 'Success', content: { 'text/csv': { schema: { type: 'string' } } } };
  if (response === 'zip' || response === 'pdf' || response === 'file') {
    const type = FILE_TYPES[response];
    return { description: 'Success', content: { [type]: { schema: { type: 'string', contentMediaType: type } } } };
  }
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

/**
 * Builds the OpenAPI document of a service. Spec: Versioning
 * @param names endpoints that the service implements
 * @param serverUrl public URL of the service
 */
export function buildOpenApiDocument(names: readonly EndpointName[], serverUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const name of names) {
    const spec: EndpointSpec = endpoints[name];
    const operation = {
      operationId: name,
      tags: [spec.tag],
      summary: spec.summary,
      security: spec.permission === null ? [] : [{ bearer: [] }, { cookie: [] }],
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
    servers: [{ url: serverUrl }],
    tags: [...new Set(names.map((name) => endpoints[name].tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer mgs_…`.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(serverUrl),
          description: 'The session of a browser. Requests that change something must come from the same origin.',
        },
      },
      schemas: buildComponentSchemas(paths),
    },
  };
}
