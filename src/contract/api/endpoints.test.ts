import { expect, test } from 'vitest';
import { type EndpointSpec, endpointErrors } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ERROR_STATUSES } from './errors.ts';

const order =
  'invalid_request,task_not_found,task_unavailable,model_required,model_not_allowed,model_not_found,model_unavailable,unsupported_task';
const retry = 'active_retry_exists,idempotency_conflict,retry_not_allowed,retry_not_latest';

// Spec: Endpoints, Per-endpoint errors
const interfaceRows: Record<string, string> = {
  'GET /v1/tasks': '200 503:service_unavailable',
  'GET /v1/models': '200 503:service_unavailable',
  'GET /v1/pricing': '200 503:service_unavailable',
  'POST /v1/estimate': `200 400:${order} 422:invalid_request 503:service_unavailable`,
  'GET /v1/generations': '200 422:invalid_request',
  'POST /v1/generations': `201 400:${order} 402:insufficient_balance 409:idempotency_conflict 422:invalid_request 503:service_unavailable`,
  'GET /v1/generations/{generation_id}': '200 404:generation_not_found 422:invalid_request',
  'POST /v1/generations/{generation_id}/cancel':
    '200 404:generation_not_found 422:invalid_request 503:service_unavailable',
  'POST /v1/generations/{generation_id}/retry': `201 400:${order} 402:insufficient_balance 404:generation_not_found 409:${retry} 422:invalid_request 503:service_unavailable`,
  'POST /v1/uploads':
    '201 400:invalid_media_upload 408:media_upload_timeout 413:media_upload_too_large 503:media_storage_unavailable,service_unavailable',
  'GET /v1/billing/ledger': '200 400:invalid_request 422:invalid_request',
  'GET /v1/webhooks/endpoints': '200',
  'POST /v1/webhooks/endpoints': '200 400:invalid_request 422:invalid_request 503:service_unavailable',
  'DELETE /v1/webhooks/endpoints/{endpoint_id}': '204 404:webhook_endpoint_not_found 422:invalid_request',
  'GET /v1/workflow-runs': '200 400:invalid_request 422:invalid_request',
  'GET /v1/workflow-runs/{workflow_run_id}': '200 404:workflow_run_not_found 422:invalid_request',
  'POST /v1/workflow-runs/{workflow_run_id}/cancel':
    '200 404:workflow_run_not_found 422:invalid_request 503:service_unavailable',
  'POST /v1/workflow-runs/{workflow_run_id}/retry': `201 400:idempotency_key_required,invalid_request 402:insufficient_balance 404:workflow_run_not_found 409:${retry} 422:invalid_request 503:service_unavailable`,
};

const all: EndpointSpec[] = Object.values(endpoints);
const rowOf = (spec: EndpointSpec) =>
  [spec.status, ...Object.entries(spec.errors).map(([status, codes]) => `${status}:${codes?.join(',')}`)].join(' ');

test.each(Object.entries(interfaceRows))('%s lists the statuses and codes of the interface', (name, row) => {
  const spec = all.find(({ method, path }) => `${method} ${path}` === name);
  expect(spec && rowOf(spec)).toBe(row);
});

test('the billing summary returns 422 for an invalid period', () => {
  expect(rowOf(endpoints.get_billing_summary)).toBe('200 422:invalid_request');
});

test('only the catalog, checks of credentials, the ways to sign in and invitations work without a key', () => {
  const open = all.filter(({ permission }) => permission === null).map(({ path }) => path);
  expect(open).toEqual([
    '/v1/tasks',
    '/v1/models',
    '/v1/pricing',
    '/v1/estimate',
    '/v1/credentials/verify',
    '/v1/sign-in',
    '/v1/sign-in/methods',
    '/v1/sign-in/mail',
    '/v1/sign-in/passkey/options',
    '/v1/sign-in/passkey',
    '/v1/sign-in/oidc',
    '/v1/sign-in/oidc/callback',
    '/v1/invitations/preview',
    '/v1/invitations/accept',
  ]);
});

test('each endpoint that checks its path lists 422', () => {
  const checksPath = ({ path, params }: EndpointSpec) =>
    params !== undefined &&
    !params.safeParse(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, ' ']))).success;
  const unlisted = all.filter((spec) => checksPath(spec) && !spec.errors[422]?.includes('invalid_request'));
  expect(unlisted.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('every listed code may have its status', () => {
  for (const spec of all) {
    for (const [status, codes] of Object.entries(endpointErrors(spec))) {
      for (const code of codes ?? []) expect(ERROR_STATUSES[code]).toContain(Number(status));
    }
  }
});
