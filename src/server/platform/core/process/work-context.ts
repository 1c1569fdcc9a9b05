import { AsyncLocalStorage } from 'node:async_hooks';

/** An operation that is being traced. */
export interface Span {
  readonly trace_id: string;
  /** W3C Trace Context, for work that continues elsewhere. */
  readonly traceparent: string;
  end(result: { attributes?: SpanAttributes; hasFailed: boolean }): void;
}

/** Ids, names and numbers: never a secret, a prompt or what else people write. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

interface SpanOptions {
  kind: 'server' | 'consumer' | 'client';
  attributes?: SpanAttributes;
  /** W3C Trace Context of what caused it; by default the span that is active here. */
  traceparent?: string | undefined;
}

export interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

/** What a line of the log belongs to. */
interface WorkContext {
  request_id?: string | undefined;
  span?: Span | undefined;
}

/** What a job carries from the request that caused it. */
export interface WorkOrigin {
  request_id?: string;
  traceparent?: string;
}

const storage = new AsyncLocalStorage<WorkContext>();
let tracer: Tracer | null = null;

/** Traces all further work of this process; null: none. */
export const setTracer = (next: Tracer | null): void => {
  tracer = next;
};

/** Starts a span; undefined while nothing is traced. */
export const startSpan = (name: string, options: SpanOptions): Span | undefined =>
  tracer?.start(name, { ...options, traceparent: options.traceparent ?? storage.getStore()?.span?.traceparent });

export const runInContext = <T>(context: WorkContext, work: () => T): T => storage.run(context, work);

/**
 * Runs work in a span of its own, which fails if the work does.
 * @param describe returns attributes that are known at the end
 */
export async function runInSpan<T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
  describe: (result: T) => SpanAttributes = () => ({}),
): Promise<T> {
  const span = startSpan(name, options);
  if (!span) return work();
  try {
    const result = await storage.run({ ...storage.getStore(), span }, work);
    span.end({ attributes: describe(result), hasFailed: false });
    return result;
  } catch (error) {
    span.end({ hasFailed: true });
    throw error;
  }
}

/** Runs the handler of a job in the context of the request that caused it. */
export const runJob = <T>(job: string, origin: WorkOrigin | undefined, work: () => Promise<T>): Promise<T> =>
  storage.run({ request_id: origin?.request_id }, () =>
    runInSpan(
      `job ${job}`,
      { kind: 'consumer', traceparent: origin?.traceparent, attributes: { 'emulsion.job': job } },
      work,
    ),
  );

/** Returns what a job that is sent here carries on; undefined: nothing. */
export function currentOrigin(): WorkOrigin | undefined {
  const { request_id, span } = storage.getStore() ?? {};
  if (request_id === undefined && !span) return undefined;
  return {
    ...(request_id === undefined ? {} : { request_id }),
    ...(span ? { traceparent: span.traceparent } : {}),
  };
}

/** Returns the ids that each line of the log has. */
export function logContext(): { request_id?: string; trace_id?: string } {
  const { request_id, span } = storage.getStore() ?? {};
  return { ...(request_id === undefined ? {} : { request_id }), ...(span ? { trace_id: span.trace_id } : {}) };
}
