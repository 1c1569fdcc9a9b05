import { ROOT_CONTEXT, type Context, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { VERSION } from '#server/platform/core/version.ts';
import type { Span, Tracer } from '#server/platform/core/process/work-context.ts';

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;
const EXPORT_TIMEOUT_MS = 5_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface OtlpTracer extends Tracer {
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Sends spans to an OpenTelemetry collector; its headers and time-outs are in the usual `OTEL_EXPORTER_OTLP_` variables. */
export function openOtlpTracer({ endpoint, service_name }: { endpoint: string; service_name: string }): OtlpTracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service_name, 'service.version': VERSION }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer('emulsion', VERSION);
  return {
    start(name, { kind, attributes = {}, traceparent }) {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(traceparent));
      const context = span.spanContext();
      return {
        trace_id: context.traceId,
        traceparent: formatTraceparent(context),
        end({ attributes: more = {}, hasFailed }) {
          span.setAttributes(more);
          if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      } satisfies Span;
    },
    close: () => provider.shutdown(),
  };
}

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}
