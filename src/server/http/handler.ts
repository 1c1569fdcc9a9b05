import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type {
  BinaryEndpoint,
  BodyOf,
  CsvEndpoint,
  EndpointName,
  Endpoints,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '#contract/api/endpoints.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { IdempotentRequest, StoredResponse } from '#server/accounts/idempotency/with-idempotency.ts';

/**
 * A validated request: the caller is known and all parts match the endpoint's schemas. @public used by the types of
 * routes
 */
export interface HandlerRequest<N extends EndpointName> {
  caller: Endpoints[N] extends { knows_caller: true }
    ? Caller | undefined
    : Endpoints[N]['permission'] extends null
      ? undefined
      : Caller;
  params: ParamsOf<N>;
  query: QueryOf<N>;
  body: BodyOf<N>;
  /** Undefined without an Idempotency-Key. */
  idempotentRequest: IdempotentRequest | undefined;
  signal: AbortSignal;
  incoming: IncomingMessage;
  headers: IncomingHttpHeaders;
  client: { address: string; user_agent: string | null };
}

export class HandlerReply<B> {
  readonly body: B;
  readonly headers: Readonly<Record<string, string | string[]>>;

  constructor(body: B, headers: Readonly<Record<string, string | string[]>>) {
    this.body = body;
    this.headers = headers;
  }
}

export const createReply = <B>(body: B, headers: Readonly<Record<string, string | string[]>> = {}): HandlerReply<B> =>
  new HandlerReply(body, headers);

export interface CsvFile {
  filename: string;
  lines: AsyncIterable<string>;
}

export interface BinaryFile {
  filename: string;
  content: Readable | Buffer;
}

type HandlerResult<N extends EndpointName> = N extends CsvEndpoint
  ? CsvFile
  : N extends BinaryEndpoint
    ? BinaryFile
    : [ResponseOf<N>] extends [undefined]
      ? void
      : ResponseOf<N>;

/** @throws {ApiError} with a status and code that the endpoint lists */
type Handler<N extends EndpointName> = (
  request: HandlerRequest<N>,
) => Promise<HandlerResult<N> | HandlerReply<HandlerResult<N>>>;

/** An endpoint without a handler responds with 404 and is left out of the OpenAPI document. */
export type Handlers = { [N in EndpointName]?: Handler<N> };

/** Responds with a list that has one page. */
export const completeList = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false, next_cursor: null });

/** Marks a replayed response. Spec: Request shape notes. Decision: Idempotency */
export const toReply = <B>({ body, replayed }: StoredResponse<B>): B | HandlerReply<B> =>
  replayed ? createReply(body, { 'Idempotent-Replayed': 'true' }) : body;
