import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { createLogger } from '#server/app/compose.ts';
import { setTracer } from '#server/platform/core/process/work-context.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { openOtlpTracer } from './otlp-tracer.ts';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Export {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

const PROMPT = 'a secret lighthouse';
const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: PROMPT } };
const lines: string[] = [];
const exports: Export[] = [];
let collector: Server;
let endpoint = '';
let provider: FakeProviderServer;
let service: TestService;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    exports.push((await json(request)) as Export);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
  provider = await startFakeProviderServer();
  const adapter = createFakeProviderAdapter(() => provider);
  service = await createTestService({
    engines: [createUpstreamEngine({ name: 'studio', adapter, supports: () => true })],
    log: createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) }),
  });
});
afterAll(async () => {
  setTracer(null);
  await service.close();
  await provider.close();
  collector.close();
});

it('follows an order from its request through the job to the provider, in spans and in the log', async () => {
  const tracer = openOtlpTracer({ endpoint, service_name: 'emulsion' });
  setTracer(tracer);
  const { app, deps, keys } = service;
  const shutdown = new AbortController().signal;
  const stop = await deps.queue.work('generation.upstream', 1, ({ generation_id }) => {
    deps.log.info({ generation_id }, 'claimed');
    return runGeneration(deps, generation_id, { shutdown });
  });
  const parent = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
  const headers = {
    authorization: `Bearer ${keys.organization}`,
    'content-type': 'application/json',
    traceparent: `00-${parent.trace_id}-${parent.span_id}-01`,
  };
  const response = await app.inject({ method: 'POST', url: '/v1/generations', headers, payload: ORDER });
  expect([response.statusCode, response.headers['x-trace-id']]).toEqual([201, parent.trace_id]);
  const { id } = response.json<Generation>();
  await expect
    .poll(async () => (await service.call('get_generation', { params: { generation_id: id } })).body.status)
    .toBe('succeeded');
  await app.inject({ url: '/healthz' });
  await stop();
  await tracer.close();
  setTracer(null);

  const spans = exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const ours = spans.filter(({ traceId }) => traceId === parent.trace_id);
  const find = (name: string) => ours.find((span) => span.name === name);
  const [request, job, submit] = [
    find('POST /v1/generations'),
    find('job generation.upstream'),
    find('provider submit'),
  ];
  expect([request?.parentSpanId, job?.parentSpanId, submit?.parentSpanId]).toEqual([
    parent.span_id,
    request?.spanId,
    job?.spanId,
  ]);
  expect(submit?.attributes).toContainEqual({ key: 'emulsion.provider', value: { stringValue: 'studio' } });
  expect(submit?.attributes).toContainEqual({ key: 'emulsion.generation_id', value: { stringValue: id } });
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 201 } });
  expect(spans.map(({ name }) => name)).not.toContain('GET /healthz');
  const sent = JSON.stringify(exports);
  for (const secret of [PROMPT, keys.organization]) expect(sent).not.toContain(secret);

  const request_id = response.headers['x-request-id'];
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; request_id?: string; trace_id?: string });
  expect(logged.filter((line) => line.request_id === request_id)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'request completed', trace_id: parent.trace_id }),
      expect.objectContaining({ msg: 'claimed', trace_id: parent.trace_id, generation_id: id }),
    ]),
  );
});

it('does not fail requests while no collector responds', async () => {
  const tracer = openOtlpTracer({ endpoint: 'http://127.0.0.1:1', service_name: 'emulsion' });
  setTracer(tracer);
  const response = await service.app.inject({ url: '/v1/nothing' });
  expect([response.statusCode, response.headers['x-trace-id']]).toEqual([404, expect.stringMatching(/^\w{32}$/)]);
  setTracer(null);
  await tracer.close().catch(() => undefined);
  expect((await service.app.inject({ url: '/v1/nothing' })).headers).not.toHaveProperty('x-trace-id');
});
