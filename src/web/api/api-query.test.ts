import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-errors.ts';
import { apiKey, apiPages, apiQuery, invalidate } from './api-query.ts';

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
let paths: string[];
let respond: () => Response;

beforeEach(() => {
  client.clear();
  paths = [];
  respond = () => Response.json({ object: 'list', data: [{ id: 'a' }], has_more: false, next_cursor: null });
  vi.stubGlobal('fetch', async (path: string) => {
    paths.push(path);
    return respond();
  });
});

const isStale = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated;

describe('apiKey', () => {
  const one = apiKey('get_generation', { params: { generation_id: 'gen_1' } });
  const other = apiKey('get_generation', { params: { generation_id: 'gen_2' } });
  const live = apiKey('list_generations', { query: { status: 'failed', limit: 50 } }, 'live');
  const pages = apiKey('list_generations', { query: { status: 'failed', limit: 50 } }, 'pages');
  beforeEach(() => [one, other, live, pages].forEach((queryKey) => client.setQueryData(queryKey, {})));

  it('invalidates everything that an endpoint returned by its name', async () => {
    await invalidate(client, 'get_generation');
    expect([one, other, live, pages].map(isStale)).toEqual([true, true, false, false]);
  });

  it('invalidates one resource by its parameters', async () => {
    await invalidate(client, one);
    expect([one, other].map(isStale)).toEqual([true, false]);
  });

  it('invalidates one way of caching a list, whatever its filters', async () => {
    await invalidate(client, apiKey('list_generations', {}, 'live'));
    expect([live, pages].map(isStale)).toEqual([true, false]);
  });

  it('invalidates the lists with a filter', async () => {
    await invalidate(client, apiKey('list_generations', { query: { status: 'failed' } }, 'pages'));
    expect([live, pages].map(isStale)).toEqual([false, true]);
  });
});

describe('apiQuery', () => {
  it('caches what it reads from the response under the key of the request', async () => {
    const query = apiQuery('list_provider_jobs', { params: { provider_id: 'p 1' } }, { read: ({ data }) => data });
    expect(await client.fetchQuery(query)).toEqual([{ id: 'a' }]);
    expect(paths).toEqual(['/v1/providers/p%201/jobs']);
    expect(client.getQueryData(apiKey('list_provider_jobs', { params: { provider_id: 'p 1' } }))).toEqual([
      { id: 'a' },
    ]);
  });

  it('fails where the service responds with an error', async () => {
    respond = () => Response.json({ error: { code: 'not_found', message: 'No.', details: [] } }, { status: 404 });
    await expect(client.fetchQuery(apiQuery('list_tags', {}))).rejects.toThrow(ApiError);
  });
});

describe('apiPages', () => {
  it('asks for the page after the cursor with the same filters', async () => {
    respond = () => Response.json({ object: 'list', data: [], has_more: true, next_cursor: 'c1' });
    await client.fetchInfiniteQuery({ ...apiPages('list_alerts', { query: { status: 'open', limit: 5 } }), pages: 2 });
    expect(paths).toEqual(['/v1/alerts?status=open&limit=5', '/v1/alerts?status=open&limit=5&cursor=c1']);
  });
});
