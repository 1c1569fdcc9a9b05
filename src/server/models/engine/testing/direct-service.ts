import type { RequestListener } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { inject } from 'light-my-request';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { resolveServiceUrl, type ServiceFetch } from '#server/platform/net/service-fetch.ts';

/**
 * A service whose fake server is called in this process, where a request takes a tenth of the time. The first request of
 * each shape travels over HTTP.
 * @param shapes shapes that travelled already
 */
export function createDirectService(
  service: RemoteService,
  listener: RequestListener,
  shapes: Set<string>,
): RemoteService {
  const base = new URL(service.base_url);
  const travels = (shape: string) => !shapes.has(shape) && Boolean(shapes.add(shape));

  const fetch: ServiceFetch = async (input, init = {}) => {
    const url = resolveServiceUrl(base, input);
    const { body, headers, method = 'GET' } = init;
    if (body instanceof ReadableStream) return service.fetch(url, init);
    const request = new Request(url, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    });
    const payload = Buffer.from(await request.arrayBuffer());
    const type = request.headers.get('content-type');
    if (travels([method, withoutIds(url), await shapeOfBody(payload, type)].join(' '))) return service.fetch(url, init);
    init.signal?.throwIfAborted();
    const response = await inject(listener, {
      method: method as 'GET',
      url: url.pathname + url.search,
      headers: Object.fromEntries(request.headers),
      payload,
    });
    const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const bytes = response.rawPayload.length > 0 ? Uint8Array.from(response.rawPayload) : null;
    return new Response(bytes, { status: response.statusCode, headers: entries });
  };

  return {
    ...service,
    fetch,
    send: (url, { body, ...rest }) => fetch(url, { method: 'POST', body, ...rest }),
    async download(url, file, options) {
      const from = resolveServiceUrl(base, url);
      if (travels(`download ${withoutIds(from)}`)) return service.download(url, file, options);
      const response = await fetch(from, { headers: options.headers ?? {} });
      if (response.status !== 200) return service.download(url, file, options);
      const bytes = new Uint8Array(await response.arrayBuffer());
      await writeFile(file, bytes, { flag: 'wx' });
      return { size_bytes: bytes.length };
    },
  };
}

const withoutIds = ({ pathname, searchParams }: URL) =>
  [pathname.replace(/[\w-]*\d[\w-]{3,}/g, '*').replace(/\d+/g, '*'), ...searchParams.keys()].join(' ');

async function shapeOfBody(payload: Buffer<ArrayBuffer>, type: string | null): Promise<string> {
  if (payload.length === 0) return '';
  if (type?.startsWith('application/json')) return shapeOf(JSON.parse(payload.toString()));
  if (!type?.startsWith('multipart/form-data')) return 'bytes';
  const form = await new Response(payload, { headers: { 'content-type': type } }).formData();
  return [...new Set(form.keys())].sort().join();
}

/** Names of properties and types of their values. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join()}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value)
    .map(([name, child]) => `${name}:${shapeOf(child)}`)
    .sort()
    .join()}}`;
}
