import type { JsonSchema, OpenApiDocument, OpenApiOperation, OpenApiParameter } from '#web/api/queries/reference.ts';
import type { Schemas } from './json-schema.ts';

export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  needsKey: boolean;
  parameters: OpenApiParameter[];
  body: { type: string; schema: JsonSchema } | null;
  success: { status: string; schema: JsonSchema | null };
  errors: { status: string; codes: string[] }[];
}

interface OperationGroup {
  name: string;
  id: string;
  description: string | null;
  operations: ApiOperation[];
}

export interface ApiReference {
  title: string;
  version: string;
  serverUrl: string | null;
  groups: OperationGroup[];
  schemas: Schemas;
}

const firstContent = (content: Record<string, { schema: JsonSchema }> | undefined) => {
  const [entry] = Object.entries(content ?? {});
  return entry ? { type: entry[0], schema: entry[1].schema } : null;
};

function parseOperation(path: string, method: string, raw: OpenApiOperation): ApiOperation {
  const responses = Object.entries(raw.responses);
  const [status = '200', success] = responses.find(([code]) => code.startsWith('2')) ?? [];
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? raw.operationId,
    description: raw.description ?? null,
    needsKey: (raw.security ?? []).length > 0,
    parameters: raw.parameters ?? [],
    body: firstContent(raw.requestBody?.content),
    success: { status, schema: firstContent(success?.content)?.schema ?? null },
    errors: responses
      .filter(([code]) => !code.startsWith('2'))
      .map(([code, { description }]) => ({ status: code, codes: description.match(/\b[a-z]+(?:_[a-z]+)+/g) ?? [] })),
  };
}

/** Converts a name to an anchor: "workflow-runs" for "Workflow runs". */
const toAnchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Operations without a tag come last. */
export function parseOpenApiDocument(document: OpenApiDocument): ApiReference {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      tag: raw.tags?.[0] ?? 'Other',
      operation: parseOperation(path, method, raw),
    })),
  );
  const described = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const names = [...new Set([...described.keys(), ...operations.map(({ tag }) => tag)])];
  return {
    title: document.info.title,
    version: document.info.version,
    serverUrl: document.servers?.[0]?.url ?? null,
    groups: names
      .map((name) => ({
        name,
        id: toAnchor(name),
        description: described.get(name) ?? null,
        operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
      }))
      .filter((group) => group.operations.length > 0),
    schemas: document.components?.schemas ?? {},
  };
}
