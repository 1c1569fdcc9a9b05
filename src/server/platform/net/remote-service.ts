import type { AddressRules } from './address-rules.ts';
import { OutboundError } from './outbound-error.ts';
import { saveBody } from './save-body.ts';
import { joinBaseUrl, createServiceFetch, type ServiceFetch } from './service-fetch.ts';
import { createServiceListen, type ServiceListen } from './service-listen.ts';
import type { Resolver } from './resolve-host.ts';
import { withDeadline } from './with-deadline.ts';

/** One server that the operator configured: on the internet or in a private network, with or without TLS. */
export interface RemoteService {
  readonly base_url: string;
  readonly fetch: ServiceFetch;
  readonly listen: ServiceListen;
  /**
   * Saves to a new file: from its own origin as configured, from elsewhere under the rules for references. Follows at
   * most 3 redirects; a failed download leaves no file. @throws {OutboundError}; the signal's reason when aborted
   * @param options.headers sent to the service's own origin only
   */
  download(url: string, file: string, options: ServiceDownload): Promise<{ size_bytes: number }>;
  /**
   * Sends to a URL that the service returned, elsewhere under the rules for references; reads 16 KB of the response.
   * @throws {OutboundError}; the signal's reason when aborted
   */
  send(url: string, options: ServiceSend): Promise<Response>;
}

export interface ServiceSend {
  method?: 'POST' | 'PUT' | undefined;
  /** Sent to whatever server the URL points to. */
  headers?: Readonly<Record<string, string>> | undefined;
  body: string | Blob;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

interface ServiceDownload {
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface ServiceOptions {
  base_url: string;
  download: (url: string, file: string, options: Omit<ServiceDownload, 'headers'>) => Promise<{ size_bytes: number }>;
  send: RemoteService['send'];
  resolver: Resolver;
  ca: string | undefined;
  rules: AddressRules;
}

const MAX_REDIRECTS = 3;
const MAX_RESPONSE_BYTES = 16_384;

export function createRemoteService({ base_url, download, send, resolver, ca, rules }: ServiceOptions): RemoteService {
  const base = parseBaseUrl(base_url);
  const fetch = createServiceFetch({ base, resolver, ca, rules });
  return {
    base_url: joinBaseUrl(base, ''),
    fetch,
    listen: createServiceListen({ base, resolver, ca, rules }),
    async send(url, options) {
      if (parseUrl(url, base).origin !== base.origin) return send(url, options);
      const response = await fetch(new URL(url), {
        method: 'POST',
        maxResponseBytes: MAX_RESPONSE_BYTES,
        ...options,
      });
      const { status, headers } = response;
      return new Response((await response.text()) || null, { status, headers });
    },
    download: (url, file, { headers = {}, maxBytes, ...limits }) =>
      withDeadline(limits, async (signal) => {
        let at = parseUrl(joinBaseUrl(base, url), base);
        for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
          if (at.origin !== base.origin) return download(at.href, file, { maxBytes, ...limits, signal });
          const response = await fetch(at, {
            headers,
            signal,
            timeoutMs: limits.timeoutMs,
            maxResponseBytes: maxBytes,
          });
          const location = response.headers.get('location');
          if (response.status === 200) {
            const body = response.body ?? new Blob([]).stream();
            return { size_bytes: await saveBody(body, response.headers.get('content-length'), file, maxBytes) };
          }
          await response.body?.cancel();
          if (response.status < 300 || response.status > 399 || location === null)
            throw badStatusError(response.status);
          at = parseUrl(location, at);
        }
        throw new OutboundError('too_many_redirects', 'The URL redirects too often.');
      }),
  };
}

/** @throws {OutboundError} `invalid_url` */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash) return url;
  throw new OutboundError('invalid_url', 'The URL of a service must look like https://api.example.com/v1.');
}

function parseUrl(text: string, base: URL): URL {
  if (URL.canParse(text, base.href)) return new URL(text, base.href);
  throw new OutboundError('invalid_url', 'This is not a valid URL.');
}

const badStatusError = (status: number): OutboundError =>
  new OutboundError('bad_status', `The server responded with status ${status} instead of the file.`, {
    status_code: status,
  });
