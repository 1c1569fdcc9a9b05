import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { ConfigError } from './config-error.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import { type MetricsSettings, readMetricsSettings } from './metrics-settings.ts';
import { readTracingSettings, type TracingSettings } from './tracing-settings.ts';
import { type OidcSettings, readOidcSettings } from './oidc-settings.ts';

const ROLES = ['all', 'api', 'worker'] as const;
type Role = (typeof ROLES)[number];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const S3_LINKS = ['stream', 'presigned'] as const;

export interface S3Settings {
  /** An origin; the bucket becomes part of the path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** null: the credentials of AWS' usual chain, such as variables, a profile or a role. */
  access_key: { id: string; secret: string } | null;
  /** `presigned`: media links redirect browsers to the store. `stream`: the service passes the bytes through. */
  links: (typeof S3_LINKS)[number];
}

/** Everything the operator sets. Decision: Configuration */
export interface Config {
  port: number;
  host: string;
  data_dir: string;
  /** Media, incomplete uploads and temp directories; `data_dir` by default. */
  media_dir: string;
  /** null: the embedded database. */
  database_url: string | null;
  /** An origin: scheme, host and port, without a trailing slash. */
  public_url: string;
  bootstrap_api_key: string | null;
  /** null: media are stored in `media_dir`. */
  s3: S3Settings | null;
  /** null: no mail is sent. */
  mail: MailSettings | null;
  /** null: nobody signs in at an identity provider. */
  oidc: OidcSettings | null;
  role: Role;
  /** Collector of traces; null: nothing is traced. */
  tracing: TracingSettings | null;
  /** null: no metrics are served. */
  metrics: MetricsSettings | null;
  /** null: generated in `data_dir`. */
  secret_key: string | null;
  /** Earlier secret keys, newest first: what they signed or encrypted stays valid. */
  secret_keys_old: readonly string[];
  /** Number of reverse proxies; 0: none. */
  trustProxy: number;
  allowed_origins: readonly string[];
  /** CIDRs of non-public addresses that references may be fetched from. */
  allow_private_networks: readonly string[];
  ffmpeg_path: string | null;
  ffprobe_path: string | null;
  /** null: `engines.json` in the working directory, if it exists. See docs/engines.md. */
  enginesFile: string | null;
  /**
   * Workflow starters of the operator; null: `starters` in the working directory, if it exists. See docs/workflows.md.
   */
  starters_dir: string | null;
  /** Posts for the embedded social search; null: samples. */
  searchCorpusFile: string | null;
  log_level: (typeof LOG_LEVELS)[number];
  max_upload_bytes: number;
  upload_stall_seconds: number;
  upload_timeout_seconds: number;
  maxReferenceBytes: number;
  referenceTimeoutSeconds: number;
  rate_limit_per_minute: number;
  public_rate_limit_per_minute: number;
  mediaLinkTtlSeconds: number;
  /** Retention of uploads and outputs; 0: until they are deleted. */
  media_ttl_days: number;
  resumableUploadTtlHours: number;
  maxOpenUploads: number;
  /** Declared bytes of a key's unfinished uploads. */
  maxOpenUploadBytes: number;
  /** Uploads are rejected if they would leave less free space on the disk of `media_dir`; 0: never. */
  min_free_bytes: number;
  max_json_bytes: number;
  /** Queued generations without a price per key. */
  max_queued_free_generations: number;
  workerConcurrency: number;
  /** Provider jobs that one worker follows at the same time; jobs that wait for their next poll do not count. */
  upstreamConcurrency: number;
  /** How long requests are still accepted after SIGTERM, while `/readyz` already reports the shutdown. */
  shutdownDelaySeconds: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const YEAR_SECONDS = 366 * 86_400;
const MAX_OLD_SECRET_KEYS = 8;

/** Reads a variable whose name the operator chose, such as one with an API key; returns null if it is not set. */
export const readEnvironmentVariable = (name: string, env: Environment = process.env): string | null =>
  env[name]?.trim() || null;

/** Empty variables count as unset. @throws {ConfigError} for the first invalid variable */
export function readConfig(env: Environment = process.env): Config {
  const readText = (name: string): string | null => readEnvironmentVariable(name, env);
  const readInteger = (name: string, preset: number, min: number, max: number): number => {
    const text = readText(name);
    if (text === null) return preset;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
  };
  const readOption = <const T extends string>(name: string, options: readonly T[], preset: T): T => {
    const text = readText(name) ?? preset;
    const match = options.find((option) => option === text);
    if (match !== undefined) return match;
    throw new ConfigError(`${name} must be one of ${options.join(', ')}.`);
  };
  const readList = (name: string): string[] => (readText(name) ?? '').split(/[\s,]+/).filter((part) => part !== '');

  const port = readInteger('PORT', 8787, 0, 65_535);
  const data_dir = resolve(readText('DATA_DIR') ?? './data');
  const media_dir = readText('MEDIA_DIR');
  const max_upload_bytes = readInteger('MAX_UPLOAD_BYTES', 536_870_912, 1, 2 ** 40);
  const config: Config = {
    port,
    host: readText('HOST') ?? '127.0.0.1',
    data_dir,
    media_dir: media_dir === null ? data_dir : resolve(media_dir),
    database_url: readText('DATABASE_URL'),
    public_url: parsePublicUrl(readText('PUBLIC_URL') ?? `http://localhost:${port}`),
    bootstrap_api_key: readText('BOOTSTRAP_API_KEY'),
    s3: readS3Settings(readText, readOption('S3_LINKS', S3_LINKS, 'stream')),
    mail: readMailSettings(readText),
    oidc: readOidcSettings(readText),
    role: readOption('ROLE', ROLES, 'all'),
    metrics: readMetricsSettings(readText),
    tracing: readTracingSettings(readText),
    secret_key: readText('SECRET_KEY'),
    secret_keys_old: readList('SECRET_KEYS_OLD'),
    trustProxy: readInteger('TRUST_PROXY', 0, 0, 32),
    allowed_origins: readList('ALLOWED_ORIGINS').map((text) => parseOrigin(text, 'ALLOWED_ORIGINS')),
    allow_private_networks: readList('ALLOW_PRIVATE_NETWORKS'),
    ffmpeg_path: readText('FFMPEG_PATH'),
    ffprobe_path: readText('FFPROBE_PATH'),
    enginesFile: readText('ENGINES_FILE'),
    starters_dir: readText('STARTERS_DIR'),
    searchCorpusFile: readText('SEARCH_CORPUS_FILE'),
    log_level: readOption('LOG_LEVEL', LOG_LEVELS, 'info'),
    max_upload_bytes,
    upload_stall_seconds: readInteger('UPLOAD_STALL_SECONDS', 120, 1, 86_400),
    upload_timeout_seconds: readInteger('UPLOAD_TIMEOUT_SECONDS', 900, 1, 86_400),
    maxReferenceBytes: readInteger('MAX_REFERENCE_BYTES', 536_870_912, 1, 2 ** 40),
    referenceTimeoutSeconds: readInteger('REFERENCE_TIMEOUT_SECONDS', 60, 1, 86_400),
    rate_limit_per_minute: readInteger('RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000),
    public_rate_limit_per_minute: readInteger('PUBLIC_RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000),
    mediaLinkTtlSeconds: readInteger('MEDIA_LINK_TTL_SECONDS', 86_400, 1, YEAR_SECONDS),
    media_ttl_days: readInteger('MEDIA_TTL_DAYS', 0, 0, 36_500),
    resumableUploadTtlHours: readInteger('RESUMABLE_UPLOAD_TTL_HOURS', 24, 1, 8_760),
    maxOpenUploads: readInteger('MAX_OPEN_UPLOADS', 50, 1, 100_000),
    maxOpenUploadBytes: readInteger('MAX_OPEN_UPLOAD_BYTES', 8 * max_upload_bytes, max_upload_bytes, 2 ** 49),
    min_free_bytes: readInteger('MIN_FREE_BYTES', 536_870_912, 0, 2 ** 49),
    max_json_bytes: readInteger('MAX_JSON_BYTES', 1_048_576, 1, 2 ** 30),
    max_queued_free_generations: readInteger('MAX_QUEUED_FREE_GENERATIONS', 100, 1, 1_000_000),
    workerConcurrency: readInteger('WORKER_CONCURRENCY', 2, 1, 64),
    upstreamConcurrency: readInteger('UPSTREAM_CONCURRENCY', 32, 1, 1024),
    shutdownDelaySeconds: readInteger('SHUTDOWN_DELAY_SECONDS', 0, 0, 300),
  };
  validateConfig(config);
  return config;
}

const S3_VARIABLES = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

function readS3Settings(readText: (name: string) => string | null, links: S3Settings['links']): S3Settings | null {
  if (S3_VARIABLES.every((name) => readText(name) === null)) return null;
  const readMatching = (name: string, pattern: RegExp, expected: string): string => {
    const text = readText(name);
    if (text !== null && pattern.test(text)) return text;
    throw new ConfigError(
      `${name} must be ${expected}${text === null ? ', because other S3_ variables are set' : ''}.`,
    );
  };
  const bucket = readMatching('S3_BUCKET', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket');
  const hasKey = readText('S3_ACCESS_KEY_ID') !== null || readText('S3_SECRET_ACCESS_KEY') !== null;
  const access_key = hasKey
    ? {
        id: readMatching('S3_ACCESS_KEY_ID', /^[\x21-\x7e]{1,256}$/, 'the id of an access key'),
        secret: readMatching('S3_SECRET_ACCESS_KEY', /^[\x21-\x7e]{1,256}$/, 'the secret of the access key'),
      }
    : null;
  const address = readText('S3_ENDPOINT');
  const expectedRegion = 'a region such as eu-central-1, or S3_ENDPOINT must be set';
  const hasRegion = address === null || readText('S3_REGION') !== null;
  const region = hasRegion ? readMatching('S3_REGION', /^[a-z0-9-]{1,63}$/, expectedRegion) : 'us-east-1';
  const endpoint = address === null ? `https://s3.${region}.amazonaws.com` : parseOrigin(address, 'S3_ENDPOINT');
  return { endpoint, region, bucket, access_key, links };
}

function validateConfig(config: Config): void {
  if (config.database_url !== null && !/^postgres(ql)?:\/\//.test(config.database_url)) {
    throw new ConfigError('DATABASE_URL must start with postgres://.');
  }
  if (config.role !== 'all' && config.database_url === null) {
    throw new ConfigError(`ROLE ${config.role} requires DATABASE_URL: the embedded database serves only one process.`);
  }
  if (config.secret_key !== null && config.secret_key.length < 16) {
    throw new ConfigError('SECRET_KEY must have at least 16 characters.');
  }
  if (config.secret_keys_old.some((key) => key.length < 16) || config.secret_keys_old.length > MAX_OLD_SECRET_KEYS) {
    throw new ConfigError(
      `SECRET_KEYS_OLD must be a list of up to ${MAX_OLD_SECRET_KEYS} earlier keys of at least 16 characters each.`,
    );
  }
  if (config.secret_keys_old.length > 0 && config.secret_key === null) {
    throw new ConfigError('SECRET_KEYS_OLD requires a new key in SECRET_KEY.');
  }
  if (config.bootstrap_api_key !== null && !/^[\x21-\x7e]{16,255}$/.test(config.bootstrap_api_key)) {
    throw new ConfigError('BOOTSTRAP_API_KEY must be 16 to 255 printable characters without spaces.');
  }
  if (config.bootstrap_api_key !== null && config.bootstrap_api_key.startsWith('mgs_ses_')) {
    throw new ConfigError('BOOTSTRAP_API_KEY must not start with mgs_ses_: that prefix is reserved for sessions.');
  }
  if (config.s3?.links === 'presigned' && isPlainHttp(config.s3.endpoint) && !isPlainHttp(config.public_url)) {
    throw new ConfigError(
      'S3_LINKS presigned requires https:// in S3_ENDPOINT: pages served over HTTPS load media over HTTPS only.',
    );
  }
  const network = config.allow_private_networks.find((text) => !ipaddr.isValidCIDR(text));
  if (network !== undefined) {
    throw new ConfigError('ALLOW_PRIVATE_NETWORKS must be a list of networks such as 127.0.0.0/8,10.0.0.0/8.');
  }
  if (config.allow_private_networks.length > 0 && !isLoopbackOrigin(config.public_url)) {
    throw new ConfigError('ALLOW_PRIVATE_NETWORKS is for development and tests: it requires a local PUBLIC_URL.');
  }
}

function parseOrigin(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (isOrigin && !url.username && !url.password) return url.origin;
  throw new ConfigError(`${name} must be a URL such as https://studio.example.com, without a path.`);
}

const parsePublicUrl = (text: string): string => parseOrigin(text, 'PUBLIC_URL');

/** Returns whether an origin is on this machine, at any port. Decision: Configuration */
function isLoopbackOrigin(origin: string): boolean {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

const isPlainHttp = (origin: string): boolean => origin.startsWith('http://');

/** Returns the origin to pass to `validateReferenceUrl`, or null with TLS. Decision: References to own media */
export const insecureOrigin = (config: Pick<Config, 'public_url'>): string | null =>
  isPlainHttp(config.public_url) ? config.public_url : null;
