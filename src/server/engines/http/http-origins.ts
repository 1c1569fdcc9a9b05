import { MAX_OUTPUT_BYTES } from '../save-outputs.ts';
import type { RemoteService } from '#server/net/remote-service.ts';
import type { UpstreamHttp, UpstreamRequest } from '../upstream-http.ts';

/** Time for a response that is the result itself. */
const FILE_TIMEOUT_MS = 10 * 60_000;

/** Sends each request to the service whose origin it names, with the credentials. */
export type OriginHttp = Pick<UpstreamHttp, 'request' | 'download' | 'redact'> & {
  /** @returns the JSON of the response; for a media file, which is saved to `file`, `json` is undefined */
  requestResult(
    path: string,
    init: UpstreamRequest,
    target: { file: string; max_output_bytes: number | undefined } | null,
  ): Promise<{ json: unknown; headers: Headers | null }>;
};

/** @param services the first one gets paths and all other origins, which it rejects */
export function createOriginHttp(
  services: readonly [RemoteService, ...RemoteService[]],
  createHttp: (service: RemoteService) => UpstreamHttp,
): OriginHttp {
  const [main, ...others] = services;
  const main_http = createHttp(main);
  const by_origin = new Map(others.map((service) => [new URL(service.base_url).origin, createHttp(service)]));
  const httpFor = (path: string | URL): UpstreamHttp => {
    const origin = URL.canParse(String(path)) ? new URL(String(path)).origin : '';
    return by_origin.get(origin) ?? main_http;
  };
  return {
    request: (path, init) => httpFor(path).request(path, init),
    download: (url, file, limits) => httpFor(url).download(url, file, limits),
    redact: main_http.redact,
    async requestResult(path, init, target) {
      if (!target) return { json: await httpFor(path).requestJson(path, init), headers: null };
      const { file, max_output_bytes: max_response_bytes = MAX_OUTPUT_BYTES } = target;
      const limits = { max_response_bytes, timeout_ms: FILE_TIMEOUT_MS };
      return httpFor(path).requestJsonOrFile(path, { ...init, ...limits }, file);
    },
  };
}
