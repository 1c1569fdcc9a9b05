import { queryOptions } from '@tanstack/react-query';
import { ApiError, parseErrorResponse, parseJson, toNetworkError } from '../api-errors.ts';

/** The part of OpenAPI 3.1 that the dashboard reads. */
export interface OpenApiDocument {
  info: { title: string; version: string; summary?: string; license?: { name: string } };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

export interface OpenApiOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: OpenApiParameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}

export interface OpenApiParameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  contentMediaType?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

const DEADLINE_MS = 60_000;

/** The OpenAPI document of the service. It is not an endpoint of the contract, so it is fetched here. */
export const referenceQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }): Promise<OpenApiDocument> => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    try {
      const response = await fetch('/openapi.json', { signal: within, credentials: 'omit' });
      const text = await response.text();
      if (!response.ok) throw parseErrorResponse(response.status, text, (header) => response.headers.get(header));
      return parseJson(text) as OpenApiDocument;
    } catch (error) {
      throw error instanceof ApiError ? error : toNetworkError(error);
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});
