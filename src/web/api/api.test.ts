import { expect, it, vi } from 'vitest';
import { createApi } from './api.ts';

const respondWith = (respond: (signal: AbortSignal) => Response | Promise<Response>) =>
  vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) => respond(signal));

/** Settles as a browser's request and its body do when they are aborted. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
const halfBody = (signal: AbortSignal) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"object":'));
      aborted(signal).catch((reason: unknown) => controller.error(reason));
    },
  });

const TOO_SHORT_MS = 1;
const timeout = { name: 'NetworkError', message: expect.stringContaining('did not respond in time') as string };
const unreadable = { name: 'NetworkError', message: expect.stringContaining('Another server responded') as string };

it.each([
  ['a page of HTML', '<!doctype html><title>Sign in to this network</title>'],
  ['an empty body', ''],
])('rejects a 200 with %s as a response of something else', async (_case, body) => {
  respondWith(() => new Response(body, { headers: { 'content-type': 'text/html' } }));
  await expect(createApi().call('get_me')).rejects.toMatchObject(unreadable);
  await expect(createApi().download('export_ledger', { query: {} })).rejects.toMatchObject(unreadable);
});

it('accepts the empty body of a 204', async () => {
  respondWith(() => new Response(null, { status: 204 }));
  await expect(createApi().call('delete_session')).resolves.toBeUndefined();
});

it.each([
  ['never responds', aborted],
  ['stops within the body', (signal: AbortSignal) => new Response(halfBody(signal))],
])('times out where the service %s', async (_case, respond) => {
  respondWith(respond);
  await expect(createApi('', TOO_SHORT_MS).call('get_me')).rejects.toMatchObject(timeout);
  await expect(createApi().call('get_me', { deadlineMs: TOO_SHORT_MS })).rejects.toMatchObject(timeout);
});

it('times out where a file does not begin to arrive', async () => {
  respondWith(aborted);
  await expect(createApi('', TOO_SHORT_MS).download('export_ledger', { query: {} })).rejects.toMatchObject(timeout);
});

it('passes on an abort by the caller', async () => {
  respondWith(aborted);
  const caller = new AbortController();
  const call = createApi().call('get_me', { signal: caller.signal });
  caller.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});
