import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EndpointName, ResponseOf } from '#contract/api/endpoints.ts';
import type { Permission } from '#contract/permissions.ts';
import type { IdempotencySource } from '#server/accounts/idempotency/idempotency-source.ts';
import type { RateLimit } from '#server/http/rate-limit.ts';
import type { EndpointRequest } from '#server/http/send-endpoint-request.ts';
import type { Turns } from '#server/platform/core/turns.ts';
import type { WaitSlots } from '#server/http/wait-slots.ts';
import type { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { JsonFiles } from './json-files.ts';
import type { CallbackFormat } from '#server/studio/webhooks/order-callbacks.ts';
import type { UploadDeps } from '#server/studio/uploads/create-upload.ts';

export type CompatDeps = UploadDeps & { rate_limit: RateLimit };

/** A request in the format of another API, with what a handler needs to act for its caller. */
export interface CompatCall {
  deps: CompatDeps;
  caller: Caller;
  request: FastifyRequest;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Of a row that reads JSON; undefined if the request has none. */
  body: unknown;
  /** Files that were part of a large body. */
  files: JsonFiles;
  /** Values of the headers for tags and metadata, for `metadata` of an order; null: none. */
  metadata: Readonly<Record<string, string>> | null;
  /** The header Idempotency-Key. */
  idempotency_key: string | undefined;
  wait_slots: WaitSlots;
  /** For answers with files as base64. */
  base64_turns: Turns;
  /** Aborts when the client has gone. */
  disconnected: AbortSignal;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
  /** Sends a request to an endpoint with the credential of this one. @throws {ApiError} its error */
  send<N extends EndpointName>(name: N, request: EndpointRequest): Promise<ResponseOf<N>>;
  /** As `send`, and whether it is the response to an earlier request with the same idempotency key. */
  sendOnce<N extends EndpointName>(
    name: N,
    request: EndpointRequest,
  ): Promise<{ body: ResponseOf<N>; replayed: boolean }>;
}

export interface CompatReply {
  status?: number;
  /** JSON, unless `type` is there. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Of a body that is a file. */
  type?: string;
}

export interface CompatRow {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix, as Fastify writes it: `/predictions/:id`, `/queue/*`. */
  path: string;
  permission: Permission;
  /** By default, and where it is a form, the body is left to `run`. */
  reads?: 'json' | 'form' | 'json_or_form';
  /** Of what files are in, which compression would make little smaller with much memory. */
  isCompressed?: false;
  run(call: CompatCall): Promise<CompatReply>;
}

/** Another API that leads to the endpoints of this service. One table of rows, which the rights matrix reads too. */
export interface CompatAdapter {
  id: Exclude<IdempotencySource, 'mcp'>;
  name: string;
  /** `/compat/…` */
  prefix: string;
  rows: readonly CompatRow[];
  /** Reads the key from the header Authorization; null: it is in another form. */
  readKey(authorization: string): string | null;
  /** An error in the form of that API. @param error an `OrderError` if an order was placed */
  presentError(error: ApiError, requestId: string): CompatReply;
  /** Headers of the API, for browsers of other origins. */
  cors: { allowed: readonly string[]; exposed: readonly string[] };
  /** Writes the requests to addresses that orders name. */
  callback?: CallbackFormat;
  /** Adds routes that need no key, such as signed addresses. */
  addRoutes?(scope: FastifyInstance, deps: CompatDeps): void;
}
