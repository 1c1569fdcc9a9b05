import type { FastifyInstance } from 'fastify';
import { type EndpointSpec, endpointErrors } from '#contract/api/endpoint.ts';
import {
  type BodyInput,
  type CsvEndpoint,
  endpoints,
  type EndpointName,
  type Endpoints,
  type ParamsOf,
  type ResponseOf,
} from '#contract/api/endpoints.ts';
import { ApiErrorResponse } from '#contract/api/errors.ts';

export interface TestCallOptions<N extends EndpointName> {
  /** The organization key by default; null: no key. */
  key?: string | null;
  params?: ParamsOf<N> | Record<string, string>;
  query?: Readonly<Record<string, string | number>>;
  body?: BodyInput<N> | Readonly<Record<string, unknown>>;
  /** The bytes of an endpoint that takes a file. */
  file?: Buffer;
  idempotency_key?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface TestResponse<N extends EndpointName> {
  status: number;
  headers: Readonly<Record<string, string | number | string[] | undefined>>;
  body: ResponseOf<N>;
}
export interface TestErrorResponse {
  status: number;
  headers: TestResponse<EndpointName>['headers'];
  error: ApiErrorResponse['error'];
}

/** Calls the service by endpoint names and validates every response against the contract. */
export interface TestClient {
  /** @throws if the response is not a success, or violates the contract */
  call<N extends EndpointName>(name: N, options?: TestCallOptions<N>): Promise<TestResponse<N>>;
  /** @throws if the response is not an error that the endpoint lists */
  callError<N extends EndpointName>(name: N, options?: TestCallOptions<N>): Promise<TestErrorResponse>;
  /** Returns the text of a file. @throws if the response is not a CSV file */
  callCsv(name: CsvEndpoint, options?: TestCallOptions<CsvEndpoint>): Promise<string>;
  request<N extends EndpointName>(name: N, options?: TestCallOptions<N>): Promise<TestResponse<N> | TestErrorResponse>;
}

export const isErrorResponse = (
  response: TestResponse<EndpointName> | TestErrorResponse,
): response is TestErrorResponse => 'error' in response;

export function createTestClient(app: FastifyInstance, defaultKey: string): TestClient {
  async function send<N extends EndpointName>(name: N, options: TestCallOptions<N> = {}) {
    const spec: EndpointSpec = endpoints[name];
    const { key = defaultKey } = options;
    const response = await app.inject({
      method: spec.method,
      url: buildPath(spec, options.params),
      query: Object.fromEntries(Object.entries(options.query ?? {}).map(([name, value]) => [name, String(value)])),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(options.idempotency_key === undefined ? {} : { 'idempotency-key': options.idempotency_key }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { payload: options.body }),
      ...(options.file === undefined ? {} : { payload: options.file }),
    });
    const { statusCode: status, headers, payload } = response;
    const broken = findContractProblem(name, status, payload);
    if (broken) throw new Error(`${name} answered ${status}: ${broken}\n${payload.slice(0, 2_000)}`);
    return { status, headers, payload };
  }
  async function attempt<N extends EndpointName>(
    name: N,
    options?: TestCallOptions<N>,
  ): Promise<TestResponse<N> | TestErrorResponse> {
    const { status, headers, payload } = await send(name, options);
    if (status >= 400) return { status, headers, error: (JSON.parse(payload) as ApiErrorResponse).error };
    // Validated by the endpoint's schema just above.
    return { status, headers, body: (payload === '' ? undefined : JSON.parse(payload)) as ResponseOf<N> };
  }
  return {
    request: attempt,
    async callCsv(name, options) {
      const { status, payload } = await send(name, options);
      if (status === 200) return payload;
      throw new Error(`${name} answered ${status} ${payload}`);
    },
    async call(name, options) {
      const response = await attempt(name, options);
      if (!isErrorResponse(response)) return response;
      throw new Error(`${name} answered ${response.status} ${JSON.stringify(response.error)}`);
    },
    async callError(name, options) {
      const response = await attempt(name, options);
      if (isErrorResponse(response)) return response;
      throw new Error(`${name} answered ${response.status} where an error was expected`);
    },
  };
}

/** Returns how a response violates the contract; null if it does not. */
export function findContractProblem(name: keyof Endpoints, status: number, payload: string): string | null {
  const spec: EndpointSpec = endpoints[name];
  if (status === 304) return payload === '' ? null : 'a 304 with a body';
  if (status === spec.status) {
    if (spec.response === null) return payload === '' ? null : 'a body where there is to be none';
    if (spec.response === 'zip') return payload.startsWith('PK') ? null : 'no ZIP file';
    if (spec.response === 'pdf') return payload.startsWith('%PDF') ? null : 'no PDF file';
    if (spec.response === 'file') return null;
    if (spec.response === 'csv') return /^[^\r\n]+\r\n/.test(payload) ? null : 'no line of names';
    const parsed = spec.response.safeParse(JSON.parse(payload));
    return parsed.success ? null : JSON.stringify(parsed.error.issues);
  }
  const parsed = ApiErrorResponse.safeParse(JSON.parse(payload));
  if (!parsed.success) return 'no error of the contract';
  const { code } = parsed.data.error;
  const listed: readonly string[] = endpointErrors(spec)[status] ?? [];
  return listed.includes(code) ? null : `${code} is not listed for ${status}`;
}

function buildPath(spec: EndpointSpec, params: Readonly<Record<string, string>> | undefined): string {
  return spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
}
