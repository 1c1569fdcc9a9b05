import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import {
  contentRefusedError,
  engineRejectedError,
  isRecord,
  noCreditError,
  type UpstreamErrorResponse,
} from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';

export interface ModelArkAccount {
  /** `https://ark.ap-southeast.bytepluses.com/api/v3`, or a server with the same paths. */
  service: RemoteService;
  api_key: string | null;
  /** Whether ModelArk draws its mark into a corner. */
  watermark: boolean;
}

export const createModelArkHttp = ({ service, api_key }: Omit<ModelArkAccount, 'watermark'>): UpstreamHttp =>
  createUpstreamHttp({ service, api_key, mapError: mapModelArkError });

/** Error codes of ModelArk, by prefix and suffix: docs.byteplus.com/en/docs/ModelArk/1299023 (read 2026-11-23). */
const CONTENT_CODES = /SensitiveContentDetected|RiskDetection|PolicyViolation|PrivacyInformation/;
const CREDIT_CODES = /^AccountOverdueError/;
const NOT_ACTIVATED_CODES = /^(ModelNotOpen|InvalidEndpointOrModel)|ModelIDAccessDisabled$/;
const SERVER_CODES = /^(InternalServiceError|ServerOverloaded)/;

const notActivatedError = (cause: unknown): EngineError =>
  new EngineError(
    'model_unavailable',
    'This model is not activated in the BytePlus ModelArk account. Ask the operator to activate it.',
    { cause },
  );

function explainCode(code: string, message: string | null, cause: Error): EngineError | null {
  if (CONTENT_CODES.test(code)) return contentRefusedError(message, cause);
  if (CREDIT_CODES.test(code)) return noCreditError(cause);
  return NOT_ACTIVATED_CODES.test(code) ? notActivatedError(cause) : null;
}

/** Messages end with “Request id: …”, which means nothing to the person who reads them. */
function withoutRequestId(message: string): string {
  const label = 'Request id:';
  const parts = message.trimEnd().split(/Request id:/i);
  const id = parts.length > 1 ? parts.pop() : undefined;
  return id !== undefined && /^\s*\S+$/.test(id) ? parts.join(label).trimEnd() : message;
}

function mapModelArkError({ status, body, message, cause }: UpstreamErrorResponse): Error | null {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const sentence = message === null ? null : withoutRequestId(message);
  const explained = explainCode(String(error['code'] ?? ''), sentence, cause);
  if (explained) return explained;
  return status === 400 ? engineRejectedError({ message: sentence, cause }) : null;
}

export function failedError(error: { code: string; message: string } | null, redact: (text: string) => string) {
  const sentence = withoutRequestId(redact(error?.message ?? ''));
  const code = redact(error?.code ?? '');
  const cause = new Error(`ModelArk reported ${code || 'a failure'}: ${sentence}`);
  const detail = sentence === '' ? ' without an error message.' : `: ${sentence.replace(/[.!?…]?$/, '.')}`;
  return (
    explainCode(code, sentence === '' ? null : sentence, cause) ??
    new EngineError('engine_failed', `The model failed${detail}`, { retryable: SERVER_CODES.test(code), cause })
  );
}
