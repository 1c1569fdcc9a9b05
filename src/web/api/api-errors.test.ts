import { describe, expect, it } from 'vitest';
import { ApiError, isAbort, isMissingFeature, NetworkError, parseApiError } from './api-errors.ts';
import { shouldRetry, retryDelay_ms } from './queries/retry-policy.ts';
import { createResponseCache } from './response-cache.ts';

const headers = (given: Record<string, string>) => (name: string) => given[name] ?? null;
const none = headers({});

describe('an answer that is no success', () => {
  it('is read as the service meant it', () => {
    const details = [{ path: 'input.prompt', message: 'Prompt is required.' }];
    const body = { error: { code: 'invalid_request', message: 'Wrong.', details, request_id: 'req_1' } };
    const error = parseApiError(422, JSON.stringify(body), none);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_request',
      message: 'Wrong.',
      details,
      request_id: 'req_1',
    });
  });

  it('still says something where another server answered', () => {
    const error = parseApiError(502, '<html>', headers({ 'retry-after': '7', 'x-request-id': 'r' }));
    expect(error).toMatchObject({ code: 'service_unavailable', retry_after_seconds: 7, request_id: 'r', details: [] });
    expect(parseApiError(500, '{"error":{}}', none).code).toBe('internal_error');
    expect(parseApiError(429, '', headers({ 'retry-after': 'Wed, 21 Oct' })).retry_after_seconds).toBeNull();
  });

  it('hides a feature only where its path is unknown', () => {
    expect(isMissingFeature(parseApiError(404, '', none))).toBe(true);
    const gone = new ApiError({ status: 404, code: 'generation_not_found', message: '' });
    expect([isMissingFeature(gone), isMissingFeature(new NetworkError())]).toEqual([false, false]);
  });

  it('is nobody’s concern where it was given up', () => {
    expect([isAbort(new DOMException('', 'AbortError')), isAbort(new NetworkError())]).toEqual([true, false]);
  });
});

describe('trying again', () => {
  const refused = new ApiError({ status: 402, code: 'insufficient_balance', message: '' });
  const busy = new ApiError({ status: 429, code: 'rate_limit_exceeded', message: '', retry_after_seconds: 4 });

  it('helps where no answer came or patience was asked for, a few times', () => {
    expect([
      shouldRetry(0, new NetworkError()),
      shouldRetry(2, busy),
      shouldRetry(3, busy),
      shouldRetry(0, refused),
    ]).toEqual([true, true, false, false]);
  });

  it('waits as long as it was told, else longer each time', () => {
    expect([
      retryDelay_ms(0, busy),
      retryDelay_ms(0, new NetworkError()),
      retryDelay_ms(2, new NetworkError()),
    ]).toEqual([4000, 500, 2000]);
  });
});

describe('remembered answers', () => {
  const answer = (etag: string) => ({ etag, body: { etag } });

  it('are kept for one key at a time', () => {
    const memory = createResponseCache();
    memory.set('/v1/generations', 'key-1', answer('a'));
    expect(memory.get('/v1/generations', 'key-1')).toEqual(answer('a'));
    expect(memory.get('/v1/generations', 'key-2')).toBeUndefined();
    expect(memory.get('/v1/generations', 'key-1')).toBeUndefined();
  });

  it('give way to newer ones', () => {
    const memory = createResponseCache(2);
    for (const url of ['/a', '/b', '/a', '/c']) memory.set(url, null, answer(url));
    expect([memory.get('/a', null), memory.get('/b', null), memory.get('/c', null)]).toEqual([
      answer('/a'),
      undefined,
      answer('/c'),
    ]);
  });
});
