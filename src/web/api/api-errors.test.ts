import { describe, expect, it } from 'vitest';
import { ApiError, isAbort, NetworkError, parseErrorResponse, shouldRetry, retryDelayMs } from './api-errors.ts';
import { createResponseCache } from './response-cache.ts';

const headers = (values: Record<string, string>) => (name: string) => values[name] ?? null;
const none = headers({});

describe('parseErrorResponse', () => {
  it('reads the error of the service', () => {
    const details = [{ path: 'input.prompt', message: 'Prompt is required.' }];
    const body = { error: { code: 'invalid_request', message: 'Wrong.', details, request_id: 'req_1' } };
    const error = parseErrorResponse(422, JSON.stringify(body), none);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_request',
      message: 'Wrong.',
      details,
      request_id: 'req_1',
    });
  });

  it.each<[number, string, object]>([
    [400, '<html>', { code: 'invalid_request', message: /^A proxy .* \(status 400\)/ }],
    [403, '{"message":"Forbidden"}', { code: 'invalid_request', message: /^A proxy .* \(status 403\)/ }],
    [404, '<html>', { code: 'not_found' }],
    [413, '<html>', { code: 'invalid_request', message: /client_max_body_size/ }],
    [429, '', { code: 'rate_limit_exceeded', retry_after_seconds: 7 }],
    [500, '{"error":{}}', { code: 'internal_error', message: /\(status 500\)/ }],
  ])(
    'tells a %i of a proxy from one of the service',
    (status, text, { message, ...expected }: { message?: RegExp }) => {
      const error = parseErrorResponse(status, text, headers({ 'retry-after': '7', 'x-request-id': 'r' }));
      expect(error).toMatchObject({ name: 'ApiError', status, request_id: 'r', isFromProxy: true, ...expected });
      expect(error.message).toMatch(message ?? /\.$/);
      const own = JSON.stringify({ error: { code: 'invalid_request', message: 'Own.' } });
      expect(parseErrorResponse(status, own, none)).toMatchObject({ message: 'Own.', isFromProxy: false });
    },
  );

  it.each([
    [502, /can’t reach it/],
    [503, /can’t reach it/],
    [504, /no response in time/],
    [521, /can’t reach it/],
    [524, /no response in time/],
  ])('takes a %i of a proxy as a request whose effect is unknown', (status, message) => {
    const error = parseErrorResponse(status, '<html>', none);
    expect([error.name, shouldRetry(0, error)]).toEqual(['NetworkError', true]);
    expect(error.message).toMatch(message);
    const own = JSON.stringify({ error: { code: 'service_unavailable', message: 'Own.' } });
    expect(parseErrorResponse(status, own, none)).toMatchObject({ name: 'ApiError', message: 'Own.' });
  });

  it('reads a time to wait in seconds only', () => {
    expect(parseErrorResponse(429, '', headers({ 'retry-after': 'Wed, 21 Oct' }))).toMatchObject({
      retry_after_seconds: null,
    });
  });

  it('recognizes an aborted request', () => {
    expect([isAbort(new DOMException('', 'AbortError')), isAbort(new NetworkError())]).toEqual([true, false]);
  });
});

describe('retry policy', () => {
  const rejected = new ApiError({ status: 402, code: 'insufficient_balance', message: '' });
  const busy = new ApiError({ status: 429, code: 'rate_limit_exceeded', message: '', retry_after_seconds: 4 });

  it('retries a few times where no response came or the service asks to wait', () => {
    expect([
      shouldRetry(0, new NetworkError()),
      shouldRetry(2, busy),
      shouldRetry(3, busy),
      shouldRetry(0, rejected),
    ]).toEqual([true, true, false, false]);
  });

  it('waits as long as the service asks, else longer each time', () => {
    expect([retryDelayMs(0, busy), retryDelayMs(0, new NetworkError()), retryDelayMs(2, new NetworkError())]).toEqual([
      4000, 500, 2000,
    ]);
  });
});

describe('response cache', () => {
  const response = (etag: string) => ({ etag, body: { etag } });

  it('keeps the responses of one key at a time', () => {
    const cache = createResponseCache();
    cache.set('/v1/generations', 'key-1', response('a'));
    expect(cache.get('/v1/generations', 'key-1')).toEqual(response('a'));
    expect(cache.get('/v1/generations', 'key-2')).toBeUndefined();
    expect(cache.get('/v1/generations', 'key-1')).toBeUndefined();
  });

  it('drops the oldest response beyond its limit', () => {
    const cache = createResponseCache(2);
    for (const url of ['/a', '/b', '/a', '/c']) cache.set(url, null, response(url));
    expect([cache.get('/a', null), cache.get('/b', null), cache.get('/c', null)]).toEqual([
      response('/a'),
      undefined,
      response('/c'),
    ]);
  });
});
