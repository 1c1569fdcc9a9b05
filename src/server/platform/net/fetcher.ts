import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createAddressRules, validatePublicUrl } from './address-rules.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { plainHeaders } from './plain-headers.ts';
import { resolveHost, systemResolver, type Resolver } from './resolve-host.ts';
import { createSafeAgent } from './safe-agent.ts';
import { saveBody } from './save-body.ts';
import { createRemoteService, parseBaseUrl, type RemoteService } from './remote-service.ts';
import { createServicePool, type PoolTimeouts, type ServicePool } from './service-pool.ts';
import { ALLOW_ALL } from './service-fetch.ts';
import { withDeadline } from './with-deadline.ts';

export interface Fetcher {
  /**
   * Follows at most 3 validated redirects; a failed download leaves no file.
   * @throws {OutboundError}; the signal's reason when aborted
   */
  download(url: string, file: string, limits: DownloadLimits): Promise<{ size_bytes: number }>;
  /** Sends the same requests as `download`. @throws {OutboundError}; the signal's reason when aborted */
  assertReachable(url: string, limits: Omit<DownloadLimits, 'maxBytes'>): Promise<void>;
  /**
   * Posts to any port, without redirects. @param options.timeoutMs including the body of the response
   * @returns `answer`: its first 16 KB @throws {OutboundError}; the signal's reason when aborted
   */
  post(url: string, options: PostOptions): Promise<PostResponse>;
  /** Checks in advance whether a URL can be posted to. @throws {OutboundError} */
  assertPublic(url: string): Promise<void>;
  /**
   * @param baseUrl http or https, without credentials, query and fragment @throws {OutboundError} `invalid_url`
   * @param options.public_only whether the rules for references apply to its address; by default it may be anywhere
   */
  createService(baseUrl: string, options?: { public_only?: boolean }): RemoteService;
  createPool(baseUrl: string, timeouts?: PoolTimeouts): ServicePool;
}

interface DownloadLimits {
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

interface PostOptions {
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

interface PostResponse {
  status_code: number;
  body: Uint8Array;
}

export interface FetcherOptions {
  /** CIDRs that may be reached although they are not public. */
  allowPrivateNetworks?: readonly string[] | undefined;
  refused_addresses?: readonly string[] | undefined;
  resolver?: Resolver | undefined;
  ca?: string | undefined;
  reference_ports?: readonly number[] | undefined;
}

const MAX_REDIRECTS = 3;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const MAX_RESPONSE_BYTES = 16_384;
const HEADERS = { 'user-agent': 'Emulsion', accept: '*/*', 'accept-encoding': 'identity' };

export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const { resolver = systemResolver, ca, reference_ports = [443] } = options;
  const rules = createAddressRules(options);

  /** Uses one connection per request and closes it when `use` has settled. */
  async function request<T>(
    url: URL,
    send: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'> & RequestLimits,
    use: (response: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const { ports, timeoutMs, ...rest } = send;
    const agent = createSafeAgent({ rules, resolver, ca, ports, connectTimeoutMs: timeoutMs, signal: rest.signal });
    try {
      const response = await agent
        .request({
          ...rest,
          origin: url.origin,
          path: url.pathname + url.search,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        })
        .catch((error: unknown) => {
          throw toOutboundError(error);
        });
      // The rest of the response fails when the connection is closed, and nobody listens.
      response.body.on('error', () => undefined);
      return await use(response);
    } finally {
      // Not awaited, because it waits for a connection that is still being opened.
      agent.destroy().catch(() => undefined);
    }
  }

  /** Sends a body to a public URL completely or not at all, and reads the response immediately. */
  const sendPublic: RemoteService['send'] = (text, { method = 'POST', headers = {}, body, ...limits }) =>
    withDeadline(limits, async (signal) => {
      const url = validatePublicUrl(text, reference_ports);
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body.size;
      const all = { 'user-agent': HEADERS['user-agent'], 'content-length': String(length), ...headers };
      const stream = typeof body === 'string' ? body : Readable.fromWeb(body.stream());
      const send = { method, headers: all, body: stream, ports: reference_ports, ...limits, signal };
      return request(url, send, async (response) => {
        const startOfBody = await readStart(response.body);
        return new Response(startOfBody.length > 0 ? startOfBody : null, {
          status: response.statusCode,
          headers: plainHeaders(response.headers),
        });
      });
    });

  const getReference = <T>(
    text: string,
    limits: Omit<DownloadLimits, 'maxBytes'>,
    use: (response: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> =>
    withDeadline(limits, async (signal) => {
      let url = validatePublicUrl(text, reference_ports);
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const send = { method: 'GET', headers: HEADERS, ports: reference_ports, ...limits, signal } as const;
        const result = await request(url, send, async (response) => {
          const location = readRedirect(response);
          return location === undefined ? { used: await use(response) } : { location };
        });
        if (result.location === undefined) return result.used;
        url = validatePublicUrl(result.location, reference_ports, url);
      }
      throw new OutboundError('too_many_redirects', 'The URL redirects too often.');
    });

  const fetcher: Fetcher = {
    download: (text, file, { maxBytes, ...limits }) =>
      getReference(text, limits, async (response) => ({ size_bytes: await saveFile(response, file, maxBytes) })),

    assertReachable: (text, limits) => getReference(text, limits, async () => undefined),

    post: (text, { headers, body, ...limits }) =>
      withDeadline(limits, async (signal) => {
        const url = validatePublicUrl(text, null);
        const all = { 'user-agent': HEADERS['user-agent'], ...headers };
        const send = { method: 'POST', headers: all, body, ports: null, ...limits, signal } as const;
        return request(url, send, async (response) => {
          const startOfBody = await readStart(response.body).catch((error: unknown) => {
            if (signal.aborted) throw error;
            return new Uint8Array();
          });
          return { status_code: response.statusCode, body: startOfBody.subarray(0, MAX_RESPONSE_BYTES) };
        });
      }),

    async assertPublic(text) {
      await resolveHost(validatePublicUrl(text, null).hostname, rules, resolver);
    },

    createService: (base_url, { public_only = false } = {}) =>
      createRemoteService({
        base_url,
        download: fetcher.download,
        send: sendPublic,
        resolver,
        ca,
        rules: public_only ? rules : ALLOW_ALL,
      }),

    createPool: (base_url, timeouts) =>
      createServicePool({ base: parseBaseUrl(base_url), resolver, ca, rules: ALLOW_ALL }, timeouts),
  };
  return fetcher;
}

const saveFile = ({ body, headers }: Dispatcher.ResponseData, file: string, maxBytes: number): Promise<number> =>
  saveBody(body, [headers['content-length']].flat()[0] ?? null, file, maxBytes);

interface RequestLimits {
  ports: readonly number[] | null;
  timeoutMs: number;
  signal: AbortSignal;
}

/** @returns undefined for a response with a body @throws {OutboundError} `bad_status` */
function readRedirect({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (statusCode === 200) return undefined;
  const location = [headers['location']].flat()[0];
  if (REDIRECT_STATUSES.has(statusCode) && location !== undefined) return location;
  throw new OutboundError('bad_status', `The server responded with status ${statusCode} instead of the file.`);
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let readBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    readBytes += chunk.byteLength;
    if (readBytes >= MAX_RESPONSE_BYTES) break;
  }
  return Buffer.concat(chunks);
}
