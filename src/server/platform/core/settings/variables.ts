import { distance } from 'fastest-levenshtein';

/** All that the service reads from its environment, beside variables that the operator names in `ENGINES_FILE`. */
export const VARIABLES = [
  'ALLOWED_ORIGINS',
  'ALLOW_PRIVATE_NETWORKS',
  'BOOTSTRAP_API_KEY',
  'C2PA_CERT_FILE',
  'C2PA_KEY_FILE',
  'C2PA_TSA_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_URL',
  'DATA_DIR',
  'ENGINES_FILE',
  'FFMPEG_PATH',
  'FFPROBE_PATH',
  'HOST',
  'LOG_LEVEL',
  'MAIL_FROM',
  'MAX_JSON_BYTES',
  'MAX_OPEN_UPLOADS',
  'MAX_OPEN_UPLOAD_BYTES',
  'MAX_QUEUED_FREE_GENERATIONS',
  'MAX_REFERENCE_BYTES',
  'MAX_UPLOAD_BYTES',
  'MEDIA_DIR',
  'MEDIA_LINK_TTL_SECONDS',
  'MEDIA_TTL_DAYS',
  'METRICS_FUNDS',
  'METRICS_PORT',
  'METRICS_TOKEN',
  'MIN_FREE_BYTES',
  'OIDC_ALLOWED_DOMAINS',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_DEFAULT_ROLE',
  'OIDC_ISSUER',
  'OIDC_NAME',
  'OIDC_ROLE_CLAIM',
  'OIDC_ROLE_MAP',
  'OIDC_TRUST_EMAIL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_SERVICE_NAME',
  'PORT',
  'PUBLIC_RATE_LIMIT_PER_MINUTE',
  'PUBLIC_URL',
  'RATE_LIMIT_PER_MINUTE',
  'REFERENCE_TIMEOUT_SECONDS',
  'RESUMABLE_UPLOAD_TTL_HOURS',
  'ROLE',
  'S3_ACCESS_KEY_ID',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_LINKS',
  'S3_REGION',
  'S3_SECRET_ACCESS_KEY',
  'SEARCH_CORPUS_FILE',
  'SECRET_KEY',
  'SECRET_KEYS_OLD',
  'SHUTDOWN_DELAY_SECONDS',
  'SMTP_URL',
  'STARTERS_DIR',
  'TRUST_PROXY',
  'UPLOAD_STALL_SECONDS',
  'UPLOAD_TIMEOUT_SECONDS',
  'UPSTREAM_CONCURRENCY',
  'WORKER_CONCURRENCY',
] as const;
export type VariableName = (typeof VARIABLES)[number];

/** Groups whose names other programs hardly use. */
const OWN_PREFIX =
  /^(?:BOOTSTRAP|C2PA|DATABASE|METRICS|OIDC|(?:PUBLIC_)?RATE_LIMIT|RESUMABLE|S3|SECRET_KEYS?|SMTP|UPLOAD|UPSTREAM)_/;
/** Kubernetes sets these for a service called, say, `metrics`. */
const OF_KUBERNETES = /_SERVICE_(?:HOST|PORT)|_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?$/;
const MIN_COMPARED_LENGTH = 6;

/** Describes variables that look like ours and are not, which a typing error may have left without effect. */
export function findUnknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set<string>(VARIABLES);
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || OF_KUBERNETES.test(name)) return [];
    const similar = VARIABLES.find((each) => isSimilar(name.toUpperCase(), each));
    if (similar !== undefined) return [`${name} is no setting of Emulsion and has no effect: is ${similar} meant?`];
    return OWN_PREFIX.test(name) ? [`${name} is no setting of Emulsion and has no effect.`] : [];
  });
}

function isSimilar(name: string, known: string): boolean {
  if (known.length < MIN_COMPARED_LENGTH) return false;
  return (
    distance(name, known) <= (known.length < 9 ? 1 : 2) ||
    name.replaceAll(/[^A-Z0-9]/g, '') === known.replaceAll('_', '') ||
    // A unit that was left out, or a word too many.
    (name.includes('_') && known.startsWith(`${name}_`)) ||
    (OWN_PREFIX.test(name) && name.startsWith(`${known}_`))
  );
}
