import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { type EndpointName, endpoints } from './endpoints.ts';
import { buildOpenApiDocument } from './openapi.ts';

const names = Object.keys(endpoints) as EndpointName[];

test('the document passes a public linter', async () => {
  // Two operations only redirect, which the test below checks instead.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } });
  const source = JSON.stringify(buildOpenApiDocument(names, 'https://studio.test'));
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('only the sign-in at an identity provider has no response with a 2xx status', () => {
  const redirects = names.filter((name) => endpoints[name].status === 302);
  expect(redirects).toEqual(['start_oidc_sign_in', 'finish_oidc_sign_in']);
});

test('the document is OpenAPI 3.1.0 in version 0.1.0', () => {
  expect(buildOpenApiDocument(names, 'https://studio.test')).toMatchObject({
    openapi: '3.1.0',
    info: { version: '0.1.0' },
  });
});

test('the document contains only the endpoints of a service', () => {
  const { paths, components } = buildOpenApiDocument(['list_tasks'], 'https://studio.test') as {
    paths: Record<string, unknown>;
    components: { schemas: Record<string, unknown> };
  };
  expect(Object.keys(paths)).toEqual(['/v1/tasks']);
  expect(Object.keys(components.schemas).sort()).toEqual(['ApiErrorResponse', 'Task']);
});
