import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { needsOwnOrigin } from '#contract/reference-url.ts';
import { ConfigError, type ReadText } from './config-error.ts';
import { type CredentialSettings, readCredentialSettings } from './credential-settings.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import { type MetricsSettings, readMetricsSettings } from './metrics-settings.ts';
import { readTracingSettings, type TracingSettings } from './tracing-settings.ts';
import { type OidcSettings, readOidcSettings } from './oidc-settings.ts';
import type { VariableName } from './variables.ts';

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
  accessKey: { id: string; secret: string } | null;
  /** `presigned`: media links redirect browsers to the store. `stream`: the service passes the bytes through. */
  links: (typeof S3_LINKS)[number];
}

/** Everything the operator sets. Decision: Configuration */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Media, incomplete uploads and temp directories; `dataDir` by default. */
  mediaDir: string;
  /** null: the embedded database. */
  databaseUrl: string | null;
  /** The server without its pooler, for what needs a session; null: `databaseUrl`. Decision: Poolers */
  databaseDirectUrl: string | null;
  /** An origin: scheme, host and port, without a trailing slash. */
  publicUrl: string;
  bootstrapApiKey: string | null;
  /** null: media are stored in `mediaDir`. */
  s3: S3Settings | null;
  /** Certificate and time stamps of content credentials. */
  credentials: CredentialSettings;
  /** null: no mail is sent. */
  mail: MailSettings | null;
  /** null: nobody signs in at an identity provider. */
  oidc: OidcSettings | null;
  role: Role;
  /** Collector of traces; null: nothing is traced. */
  tracing: TracingSettings | null;
  /** null: no metrics are served. */
  metrics: MetricsSettings | null;
  /** null: generated in `dataDir`. */
  secretKey: string | null;
  /** Earlier secret keys, newest first: what they signed or encrypted stays valid. */
  secretKeysOld: readonly string[];
  /** Number of reverse proxies; 0: none. */
  trustProxy: number;
  allowedOrigins: readonly string[];
  /** CIDRs of non-public addresses that references may be fetched from. */
  allowPrivateNetworks: readonly string[];
  ffmpegPath: string | null;
  ffprobePath: string | null;
  /** null: `engines.json` in the working directory, if it exists. See docs/engines.md. */
  enginesFile: string | null;
  /**
   * Workflow starters of the operator; null: `starters` in the working directory, if it exists. See docs/workflows.md.
   */
  startersDir: string | null;
  /** Posts for the embedded social search; null: samples. */
  searchCorpusFile: string | null;
  logLevel: (typeof LOG_LEVELS)[number];
  maxUploadBytes: number;
  uploadStallSeconds: number;
  uploadTimeoutSeconds: number;
  maxReferenceBytes: number;
  referenceTimeoutSeconds: number;
  rateLimitPerMinute: number;
  publicRateLimitPerMinute: number;
  mediaLinkTtlSeconds: number;
  /** Retention of uploads and outputs; 0: until they are deleted. */
  mediaTtlDays: number;
  resumableUploadTtlHours: number;
  maxOpenUploads: number;
  /** Declared bytes of a key's unfinished uploads. */
  maxOpenUploadBytes: number;
  /** Uploads are rejected if they would leave less free space on the disk of `mediaDir`; 0: never. */
  minFreeBytes: number;
  maxJsonBytes: number;
  /** Queued generations without a price per key. */
  maxQueuedFreeGenerations: number;
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
  const readText = (name: VariableName): string | null => readEnvironmentVariable(name, env);
  const readInteger = (name: VariableName, preset: number, min: number, max: number): number => {
    const text = readText(name);
    if (text === null) return preset;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
  };
  const readOption = <const T extends string>(name: VariableName, options: readonly T[], preset: T): T => {
    const text = readText(name) ?? preset;
    const match = options.find((option) => option === text);
    if (match !== undefined) return match;
    throw new ConfigError(`${name} must be one of ${options.join(', ')}.`);
  };
  const readList = (name: VariableName): string[] =>
    (readText(name) ?? '').split(/[\s,]+/).filter((part) => part !== '');

  const port = readInteger('PORT', 8787, 0, 65_535);
  const dataDir = resolve(readText('DATA_DIR') ?? './data');
  const mediaDir = readText('MEDIA_DIR');
  const maxUploadBytes = readInteger('MAX_UPLOAD_BYTES', 536_870_912, 1, 2 ** 40);
  const config: Config = {
    port,
    host: readText('HOST') ?? '127.0.0.1',
    dataDir,
    mediaDir: mediaDir === null ? dataDir : resolve(mediaDir),
    databaseUrl: readText('DATABASE_URL'),
    databaseDirectUrl: readText('DATABASE_DIRECT_URL'),
    publicUrl: parsePublicUrl(readText('PUBLIC_URL') ?? `http://localhost:${port}`),
    bootstrapApiKey: readText('BOOTSTRAP_API_KEY'),
    s3: readS3Settings(readText, readOption('S3_LINKS', S3_LINKS, 'stream')),
    credentials: readCredentialSettings(readText),
    mail: readMailSettings(readText),
    oidc: readOidcSettings(readText),
    role: readOption('ROLE', ROLES, 'all'),
    metrics: readMetricsSettings(readText),
    tracing: readTracingSettings(readText),
    secretKey: readText('SECRET_KEY'),
    secretKeysOld: readList('SECRET_KEYS_OLD'),
    trustProxy: readInteger('TRUST_PROXY', 0, 0, 32),
    allowedOrigins: readList('ALLOWED_ORIGINS').map((text) => parseOrigin(text, 'ALLOWED_ORIGINS')),
    allowPrivateNetworks: readList('ALLOW_PRIVATE_NETWORKS'),
    ffmpegPath: readText('FFMPEG_PATH'),
    ffprobePath: readText('FFPROBE_PATH'),
    enginesFile: readText('ENGINES_FILE'),
    startersDir: readText('STARTERS_DIR'),
    searchCorpusFile: readText('SEARCH_CORPUS_FILE'),
    logLevel: readOption('LOG_LEVEL', LOG_LEVELS, 'info'),
    maxUploadBytes,
    uploadStallSeconds: readInteger('UPLOAD_STALL_SECONDS', 120, 1, 86_400),
    uploadTimeoutSeconds: readInteger('UPLOAD_TIMEOUT_SECONDS', 900, 1, 86_400),
    maxReferenceBytes: readInteger('MAX_REFERENCE_BYTES', 536_870_912, 1, 2 ** 40),
    referenceTimeoutSeconds: readInteger('REFERENCE_TIMEOUT_SECONDS', 60, 1, 86_400),
    rateLimitPerMinute: readInteger('RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000),
    publicRateLimitPerMinute: readInteger('PUBLIC_RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000),
    mediaLinkTtlSeconds: readInteger('MEDIA_LINK_TTL_SECONDS', 86_400, 1, YEAR_SECONDS),
    mediaTtlDays: readInteger('MEDIA_TTL_DAYS', 0, 0, 36_500),
    resumableUploadTtlHours: readInteger('RESUMABLE_UPLOAD_TTL_HOURS', 24, 1, 8_760),
    maxOpenUploads: readInteger('MAX_OPEN_UPLOADS', 50, 1, 100_000),
    maxOpenUploadBytes: readInteger('MAX_OPEN_UPLOAD_BYTES', 8 * maxUploadBytes, maxUploadBytes, 2 ** 49),
    minFreeBytes: readInteger('MIN_FREE_BYTES', 536_870_912, 0, 2 ** 49),
    maxJsonBytes: readInteger('MAX_JSON_BYTES', 1_048_576, 1, 2 ** 30),
    maxQueuedFreeGenerations: readInteger('MAX_QUEUED_FREE_GENERATIONS', 100, 1, 1_000_000),
    workerConcurrency: readInteger('WORKER_CONCURRENCY', 2, 1, 64),
    upstreamConcurrency: readInteger('UPSTREAM_CONCURRENCY', 32, 1, 1024),
    shutdownDelaySeconds: readInteger('SHUTDOWN_DELAY_SECONDS', 0, 0, 300),
  };
  validateConfig(config);
  return config;
}

const S3_VARIABLES = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

function readS3Settings(readText: ReadText, links: S3Settings['links']): S3Settings | null {
  if (S3_VARIABLES.every((name) => readText(name) === null)) {
    if (links === 'presigned') throw new ConfigError('S3_LINKS presigned requires an object store: set S3_BUCKET.');
    return null;
  }
  const readMatching = (name: VariableName, pattern: RegExp, expected: string): string => {
    const text = readText(name);
    if (text !== null && pattern.test(text)) return text;
    throw new ConfigError(
      `${name} must be ${expected}${text === null ? ', because other S3_ variables are set' : ''}.`,
    );
  };
  const bucket = readMatching('S3_BUCKET', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket');
  const hasKey = readText('S3_ACCESS_KEY_ID') !== null || readText('S3_SECRET_ACCESS_KEY') !== null;
  const accessKey = hasKey
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
  return { endpoint, region, bucket, accessKey, links };
}

function validateConfig(config: Config): void {
  for (const [name, url] of [
    ['DATABASE_URL', config.databaseUrl],
    ['DATABASE_DIRECT_URL', config.databaseDirectUrl],
  ] as const)
    if (url !== null && !/^postgres(ql)?:\/\//.test(url)) throw new ConfigError(`${name} must start with postgres://.`);
  if (config.databaseDirectUrl !== null && config.databaseUrl === null)
    throw new ConfigError('DATABASE_DIRECT_URL requires DATABASE_URL.');
  if (config.role !== 'all' && config.databaseUrl === null) {
    throw new ConfigError(`ROLE ${config.role} requires DATABASE_URL: the embedded database serves only one process.`);
  }
  if (config.secretKey !== null && config.secretKey.length < 16) {
    throw new ConfigError('SECRET_KEY must have at least 16 characters.');
  }
  if (config.secretKeysOld.some((key) => key.length < 16) || config.secretKeysOld.length > MAX_OLD_SECRET_KEYS) {
    throw new ConfigError(
      `SECRET_KEYS_OLD must be a list of up to ${MAX_OLD_SECRET_KEYS} earlier keys of at least 16 characters each.`,
    );
  }
  if (config.secretKeysOld.length > 0 && config.secretKey === null) {
    throw new ConfigError('SECRET_KEYS_OLD requires a new key in SECRET_KEY.');
  }
  if (config.bootstrapApiKey !== null && !/^[\x21-\x7e]{16,255}$/.test(config.bootstrapApiKey)) {
    throw new ConfigError('BOOTSTRAP_API_KEY must be 16 to 255 printable characters without spaces.');
  }
  if (config.bootstrapApiKey !== null && config.bootstrapApiKey.startsWith('mgs_ses_')) {
    throw new ConfigError('BOOTSTRAP_API_KEY must not start with mgs_ses_: that prefix is reserved for sessions.');
  }
  if (config.s3?.links === 'presigned' && isPlainHttp(config.s3.endpoint) && !isPlainHttp(config.publicUrl)) {
    throw new ConfigError(
      'S3_LINKS presigned requires https:// in S3_ENDPOINT: pages served over HTTPS load media over HTTPS only.',
    );
  }
  const network = config.allowPrivateNetworks.find((text) => !ipaddr.isValidCIDR(text));
  if (network !== undefined) {
    throw new ConfigError('ALLOW_PRIVATE_NETWORKS must be a list of networks such as 127.0.0.0/8,10.0.0.0/8.');
  }
  if (config.allowPrivateNetworks.length > 0 && !isLoopbackOrigin(config.publicUrl)) {
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

export const isPlainHttp = (origin: string): boolean => origin.startsWith('http://');

/** Returns the origin to pass to `validateReferenceUrl`, or null where links need none. Decision: References to own media */
export const ownMediaOrigin = ({ publicUrl }: Pick<Config, 'publicUrl'>): string | null =>
  needsOwnOrigin(publicUrl) ? publicUrl : null;
