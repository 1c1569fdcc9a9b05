import type { RemoteService } from '#server/net/remote-service.ts';
import { createUpstreamHttp, type UpstreamHttp } from '../upstream-http.ts';
import { mapGeminiError } from './gemini-errors.ts';

export interface GeminiConnection {
  /** The Gemini API with its version: `https://generativelanguage.googleapis.com/v1beta`. */
  service: RemoteService;
  api_key: string | null;
}

export const createGeminiHttp = ({ service, api_key }: GeminiConnection): UpstreamHttp => {
  const http = createUpstreamHttp({
    service,
    api_key,
    headers: (key) => ({ 'x-goog-api-key': key }),
    mapError: (response) => mapGeminiError(response, (text) => http.redact(text)),
  });
  return http;
};
