import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import { ERROR_STATUSES } from '#contract/api/errors.ts';
import { buildOpenApiDocument } from '#contract/api/openapi.ts';
import { parseInput } from '#contract/parse-input.ts';
import { GenerationCreate } from '#contract/resources/generation.ts';
import { curlCommand } from './operation-view.tsx';
import type { OpenApiDocument } from '#web/api/queries/reference.ts';
import { parseOpenApiDocument } from './parse-openapi-document.ts';
import { formatSchemaBounds, nestedSchema, enumOptions, formatSchemaType } from './json-schema.ts';
import { sampleValue } from './sample-value.ts';

const names = Object.keys(endpoints).filter((name): name is EndpointName => Object.hasOwn(endpoints, name));
const raw: unknown = JSON.parse(JSON.stringify(buildOpenApiDocument(names, 'https://studio.example')));
const reference = parseOpenApiDocument(raw as OpenApiDocument);
const operations = reference.groups.flatMap((group) => group.operations);
const operation = (id: string) => {
  const match = operations.find((candidate) => candidate.id === id);
  if (!match) throw new Error(`No operation ${id}`);
  return match;
};

describe('parseOpenApiDocument', () => {
  it('contains every endpoint once, grouped by tag in order', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual([...names].sort());
    expect(reference.groups[0]).toMatchObject({ name: 'Catalog', id: 'catalog' });
    expect(reference.groups.find(({ name }) => name === 'Workflow runs')?.id).toBe('workflow-runs');
  });

  it('lists the codes of every error', () => {
    const create = operation('create_generation');
    expect(create.errors.find(({ status }) => status === '402')?.codes).toEqual([
      'insufficient_balance',
      'approval_required',
    ]);
    for (const { codes } of operations.flatMap(({ errors }) => errors).filter(({ status }) => status !== '302')) {
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) expect(Object.keys(ERROR_STATUSES)).toContain(code);
    }
  });
});

describe('samples', () => {
  const variants = operation('create_generation').body?.schema.oneOf ?? [];

  it('are requests that the service accepts, for every task and model', () => {
    expect(variants.length).toBeGreaterThan(25);
    for (const variant of variants) {
      const request = GenerationCreate.parse(sampleValue(variant, reference.schemas));
      const contract = inputContract(request.task as 'video.trim', (request.model ?? null) as null);
      expect(contract && parseInput(contract, request.input, null), `${request.task} ${request.model}`).toMatchObject({
        ok: true,
      });
    }
  });

  it('produce a command that sends the body of every operation that has one', () => {
    for (const each of operations.filter(({ body }) => body !== null)) {
      expect(each.body?.schema, each.id).toBeDefined();
      const command = curlCommand(each, 'https://studio.example', reference.schemas);
      expect(command, each.id).toMatch(/ -(?:d|F|-data-binary) /);
    }
  });

  it('produce a command that reads the key from a variable', () => {
    expect(curlCommand(operation('list_generations'), 'https://studio.example', reference.schemas)).toBe(
      'curl https://studio.example/v1/generations \\\n  -H "Authorization: Bearer $EMULSION_KEY"',
    );
    const upload = curlCommand(operation('create_upload'), 'https://studio.example', reference.schemas);
    expect(upload).toContain('-F file=@picture.png');
    expect(upload).not.toContain('Content-Type');
  });
});

describe('schema descriptions', () => {
  const { schemas } = reference;
  const generation = schemas['Generation']?.properties ?? {};

  it('format types, bounds and enum options', () => {
    expect(formatSchemaType(generation['created_at'] ?? {}, schemas)).toBe('date-time');
    expect(formatSchemaType({ type: 'array', items: { $ref: '#/components/schemas/LineItem' } }, schemas)).toBe(
      'array of LineItem',
    );
    expect(enumOptions(generation['status'] ?? {}, schemas)).toContain('manual_review');
    expect(formatSchemaBounds({ type: 'integer', minimum: 1, maximum: 200 }, schemas)).toEqual(['1 to 200']);
    expect(formatSchemaBounds({ type: 'number', exclusiveMinimum: 0, maximum: 600 }, schemas)).toEqual([
      'more than 0',
      'at most 600',
    ]);
    expect(
      formatSchemaBounds(
        { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        schemas,
      ),
    ).toEqual([]);
  });

  it('expand unnamed schemas only', () => {
    expect(Object.keys(nestedSchema(generation['error'] ?? {}, schemas)?.properties ?? {})).toEqual([
      'code',
      'message',
      'retryable',
    ]);
    expect(nestedSchema({ $ref: '#/components/schemas/Generation' }, schemas)).toBeUndefined();
  });
});
