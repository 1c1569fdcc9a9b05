import { ConfigError, type ReadText } from './config-error.ts';

export interface TracingSettings {
  /** Base URL of an OTLP receiver. */
  endpoint: string;
  service_name: string;
}

/** @returns null: nothing is traced @throws {ConfigError} */
export function readTracingSettings(readText: ReadText): TracingSettings | null {
  const endpoint = readText('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === null) return null;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://localhost:4318.');
  return { endpoint, service_name: readText('OTEL_SERVICE_NAME') ?? 'emulsion' };
}
