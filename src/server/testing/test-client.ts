import type { FastifyInstance } from 'fastify';
import { type EndpointSpec, errorsOf } from '#contract/endpoint.ts';
import {
  type BodyInput,
  type CsvEndpoint,
  endpoints,
  type EndpointName,
  type Endpoints,
  type ParamsOf,
  type ResponseOf,
} from '#contract/endpoints.ts';
import { ApiErrorResponse } from '#contract/errors.ts';

export interface CallOptions<N extends EndpointName> {
  /** The key to call with; null: none. The organization key otherwise. */
  key?: string | null;
  params?: ParamsOf<N> | Record<string, string>;
  query?: Readonly<Record<string, string | number>>;
  body?: BodyInput<N> | Readonly<Record<string, unknown>>;
  idempotency_key?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Answer<N extends EndpointName> {
  status: number;
  headers: Readonly<Record<string, string | number | string[] | undefined>>;
  /** The body of a success. */
  body: ResponseOf<N>;
}
export interface Refusal {
  status: number;
  headers: Answer<EndpointName>['headers'];
  error: ApiErrorResponse['error'];
}

/** Calls the service by the names of its endpoints; every answer is held against the contract. */
export interface TestClient {
  /** @throws where the answer is not the endpoint's success, or breaks the contract */
  call<N extends EndpointName>(name: N, options?: CallOptions<N>): Promise<Answer<N>>;
  /** @throws where the answer is no error that the endpoint lists */
  refuse<N extends EndpointName>(name: N, options?: CallOptions<N>): Promise<Refusal>;
  /** The text of a file. @throws where the answer is not that */
  file(name: CsvEndpoint, options?: CallOptions<CsvEndpoint>): Promise<string>;
  /** Either of both. */
  attempt<N extends EndpointName>(name: N, options?: CallOptions<N>): Promise<Answer<N> | Refusal>;
}

export const isRefusal = (answer: Answer<EndpointName> | Refusal): answer is Refusal => 'error' in answer;

export function createTestClient(app: FastifyInstance, default_key: string): TestClient {
  async function send<N extends EndpointName>(name: N, options: CallOptions<N> = {}) {
    const spec: EndpointSpec = endpoints[name];
    const { key = default_key } = options;
    const response = await app.inject({
      method: spec.method,
      url: pathOf(spec, options.params),
      query: Object.fromEntries(Object.entries(options.query ?? {}).map(([name, value]) => [name, String(value)])),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(options.idempotency_key === undefined ? {} : { 'idempotency-key': options.idempotency_key }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { payload: options.body }),
    });
    const { statusCode: status, headers, payload } = response;
    const broken = contractProblem(name, status, payload);
    if (broken) throw new Error(`${name} answered ${status}: ${broken}\n${payload.slice(0, 2_000)}`);
    return { status, headers, payload };
  }
  async function attempt<N extends EndpointName>(name: N, options?: CallOptions<N>): Promise<Answer<N> | Refusal> {
    const { status, headers, payload } = await send(name, options);
    if (status >= 400) return { status, headers, error: (JSON.parse(payload) as ApiErrorResponse).error };
    // Held against the endpoint's own schema just above.
    return { status, headers, body: (payload === '' ? undefined : JSON.parse(payload)) as ResponseOf<N> };
  }
  return {
    attempt,
    async file(name, options) {
      const { status, payload } = await send(name, options);
      if (status === 200) return payload;
      throw new Error(`${name} answered ${status} ${payload}`);
    },
    async call(name, options) {
      const answer = await attempt(name, options);
      if (!isRefusal(answer)) return answer;
      throw new Error(`${name} answered ${answer.status} ${JSON.stringify(answer.error)}`);
    },
    async refuse(name, options) {
      const answer = await attempt(name, options);
      if (isRefusal(answer)) return answer;
      throw new Error(`${name} answered ${answer.status} where an error was expected`);
    },
  };
}

/** What is wrong with an answer of an endpoint, by the contract; null where nothing is. */
export function contractProblem(name: keyof Endpoints, status: number, payload: string): string | null {
  const spec: EndpointSpec = endpoints[name];
  if (status === 304) return payload === '' ? null : 'a 304 with a body';
  if (status === spec.status) {
    if (spec.response === null) return payload === '' ? null : 'a body where there is to be none';
    if (spec.response === 'csv') return /^[^\r\n]+\r\n/.test(payload) ? null : 'no line of names';
    const parsed = spec.response.safeParse(JSON.parse(payload));
    return parsed.success ? null : JSON.stringify(parsed.error.issues);
  }
  const parsed = ApiErrorResponse.safeParse(JSON.parse(payload));
  if (!parsed.success) return 'no error of the contract';
  const { code } = parsed.data.error;
  const listed: readonly string[] = errorsOf(spec)[status] ?? [];
  return listed.includes(code) ? null : `${code} is not listed for ${status}`;
}

function pathOf(spec: EndpointSpec, params: Readonly<Record<string, string>> | undefined): string {
  return spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
}
