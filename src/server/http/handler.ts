import type { IncomingMessage } from 'node:http';
import type {
  BodyOf,
  CsvEndpoint,
  EndpointName,
  Endpoints,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '#contract/endpoints.ts';
import type { Caller } from '#server/core/caller.ts';
import type { StoredResponse } from '#server/idempotency/with-idempotency.ts';

/** A validated request: the caller is known and all parts match the endpoint's schemas. @public named by the types of routes */
export interface HandlerRequest<N extends EndpointName> {
  /** undefined where the endpoint needs no key. */
  caller: Endpoints[N]['auth'] extends 'none' ? undefined : Caller;
  params: ParamsOf<N>;
  query: QueryOf<N>;
  body: BodyOf<N>;
  /** The JSON body as it was sent, before defaults; undefined where there was none. */
  raw_body: unknown;
  /** 1 to 255 printable ASCII characters. */
  idempotency_key: string | undefined;
  request_id: string;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
  /** For bodies that are read as they come. */
  incoming: IncomingMessage;
}

/** An answer with headers of its own. */
export class HandlerReply<B> {
  readonly body: B;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: B, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** The body of an answer, with headers such as `Idempotent-Replayed`. */
const createReply = <B>(body: B, headers: Readonly<Record<string, string>> = {}): HandlerReply<B> =>
  new HandlerReply(body, headers);

/** A file of comma-separated values, line by line. */
export interface CsvFile {
  filename: string;
  lines: AsyncIterable<string>;
}

/** What a handler gives back. */
type HandlerResult<N extends EndpointName> = N extends CsvEndpoint ? CsvFile : ResponseOf<N>;

/** @throws {ApiError} with a status and code that the endpoint lists */
type Handler<N extends EndpointName> = (
  request: HandlerRequest<N>,
) => Promise<HandlerResult<N> | HandlerReply<HandlerResult<N>>>;

/** Handlers by endpoint. One that is missing answers 404 and is left out of the description. */
export type Handlers = { [N in EndpointName]?: Handler<N> };

/** What an idempotent act answered. Spec: Request shape notes. Decision: Idempotency */
export const toReply = <B>({ body, replayed }: StoredResponse<B>): B | HandlerReply<B> =>
  replayed ? createReply(body, { 'Idempotent-Replayed': 'true' }) : body;
