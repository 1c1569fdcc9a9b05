import { afterEach, expect, it } from 'vitest';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { completedProviderCalls } from '#server/platform/core/process/telemetry.ts';
import { createMetrics, type Metrics } from '#server/operations/metrics/create-metrics.ts';
import { createApp } from '#server/http/create-app.ts';

const TOKEN = 'a-token-of-the-tests';
const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a secret lighthouse' } };

describeOnBothDatabases(
  'metrics',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    let metrics: Metrics | undefined;
    afterEach(() => metrics?.close());
    const openApp = async (has_funds: boolean) => {
      const { deps } = service.get();
      const config = { ...deps.config, metrics: { token: TOKEN, port: null, has_funds } };
      metrics = createMetrics({ ...deps, config }, { connections: () => ({ total: 3, idle: 1, waiting: 2 }) });
      return createApp({ ...deps, config }, { metrics });
    };
    const authorization = `Bearer ${TOKEN}`;

    it('are not found without a token in the configuration, and 401 without it in the request', async () => {
      const off = await service.get().app.inject({ url: '/metrics', headers: { authorization } });
      expect([off.statusCode, off.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
      const app = await openApp(false);
      for (const headers of [{}, { authorization: 'Bearer a-token-of-the-test' }, { authorization: TOKEN }])
        expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(401);
      await app.close();
    });

    it('count requests by template, work that waits, outcomes and requests to providers', async () => {
      const app = await openApp(true);
      const { deps, keys, organization_id } = service.get();
      const key = `Bearer ${keys.organization}`;
      const create = async () => {
        const headers = { authorization: key, 'content-type': 'application/json' };
        const response = await app.inject({ method: 'POST', url: '/v1/generations', headers, payload: ORDER });
        return response.json<{ id: string }>().id;
      };
      const [done, waiting] = [await create(), await create()];
      await app.inject({ url: `/v1/generations/${waiting}`, headers: { authorization: key } });
      await app.inject({ url: '/v1/nothing/of/this' });
      await runGeneration(deps, done, { shutdown: new AbortController().signal });
      completedProviderCalls.publish({ provider: 'fal', operation: 'submit', outcome: 'busy', duration_ms: 250 });
      const { statusCode, headers, body } = await app.inject({ url: '/metrics', headers: { authorization } });
      expect([statusCode, headers['content-type']]).toEqual([
        200,
        expect.stringMatching(/^text\/plain; version=0\.0\.4/),
      ]);
      const lines = body.split('\n');
      for (const line of [
        'emulsion_http_request_duration_seconds_count{method="POST",route="/v1/generations",status="201"} 2',
        'emulsion_http_request_duration_seconds_count{method="GET",route="/v1/generations/:generation_id",status="200"} 1',
        'emulsion_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
        'emulsion_queue_depth{kind="generation.run"} 1',
        'emulsion_queue_depth{kind="webhook.deliver"} 0',
        'emulsion_generations_active{status="queued",provider="none"} 1',
        'emulsion_generations_active{status="running",provider="local"} 0',
        'emulsion_generations_total{status="succeeded",provider="local"} 1',
        'emulsion_provider_request_duration_seconds_sum{provider="fal",operation="submit",outcome="busy"} 0.25',
        'emulsion_database_up 1',
        'emulsion_database_connections{state="active"} 2',
        'emulsion_ledger_verification_failed 0',
      ])
        expect(lines).toContain(line);
      expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
      expect(body).toMatch(/^emulsion_disk_free_bytes\{directory="media"\} \d/m);
      expect(body).toMatch(
        new RegExp(`^emulsion_funds_usd\\{organization="${organization_id}",state="available"\\} \\d`, 'm'),
      );
      for (const secret of [waiting, done, 'lighthouse', keys.organization, TOKEN]) expect(body).not.toContain(secret);
      await app.close();
      metrics?.close();
      const withoutFunds = await openApp(false);
      const again = await withoutFunds.inject({ url: '/metrics', headers: { authorization } });
      expect(again.body).not.toContain(organization_id);
      await withoutFunds.close();
    });
  },
);
