import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { ownMediaOrigin, readConfig } from './config.ts';

describe('defaults', () => {
  it('match the documented ones', () => {
    expect(readConfig({ DATA_DIR: '/somewhere' })).toMatchObject({
      port: 8787,
      host: '127.0.0.1',
      dataDir: '/somewhere',
      mediaDir: '/somewhere',
      databaseUrl: null,
      databaseDirectUrl: null,
      publicUrl: 'http://localhost:8787',
      role: 'all',
      trustProxy: 0,
      allowedOrigins: [],
      maxUploadBytes: 536_870_912,
      uploadStallSeconds: 120,
      uploadTimeoutSeconds: 900,
      maxReferenceBytes: 536_870_912,
      referenceTimeoutSeconds: 60,
      rateLimitPerMinute: 600,
      publicRateLimitPerMinute: 600,
      mediaLinkTtlSeconds: 86_400,
      mediaTtlDays: 0,
      resumableUploadTtlHours: 24,
      maxOpenUploads: 50,
      maxOpenUploadBytes: 4_294_967_296,
      minFreeBytes: 536_870_912,
      maxJsonBytes: 1_048_576,
      workerConcurrency: 2,
      upstreamConcurrency: 32,
      shutdownDelaySeconds: 0,
    });
  });

  it('treat empty variables as unset and derive the public URL from the port', () => {
    expect(readConfig({ PORT: '9000', PUBLIC_URL: '', MAX_JSON_BYTES: ' ' })).toMatchObject({
      publicUrl: 'http://localhost:9000',
      maxJsonBytes: 1_048_576,
    });
  });
});

describe('an invalid value throws an error that names its variable', () => {
  it.each([
    { PORT: 'abc' },
    { S3_LINKS: 'presigned' },
    { PORT: '70000' },
    { PORT: '1e3' },
    { ROLE: 'boss' },
    { ROLE: 'worker' },
    { DATABASE_URL: 'mysql://x' },
    { PUBLIC_URL: 'studio.example.com' },
    { PUBLIC_URL: 'https://studio.example.com/path' },
    { PUBLIC_URL: 'ftp://studio.example.com' },
    { PUBLIC_URL: 'https://me:secret@studio.example.com' },
    { ALLOWED_ORIGINS: 'https://a.example, nonsense' },
    { ALLOW_PRIVATE_NETWORKS: '10.0.0.0' },
    { SECRET_KEY: 'short' },
    { SECRET_KEYS_OLD: 'short', SECRET_KEY: 'a key that is long enough' },
    { SECRET_KEYS_OLD: 'the-key-before-this-one' },
    { BOOTSTRAP_API_KEY: 'with blanks in its middle' },
    { BOOTSTRAP_API_KEY: 'mgs_ses_would-be-read-as-a-session' },
    { TRUST_PROXY: 'true' },
    { LOG_LEVEL: 'loud' },
    { MAX_UPLOAD_BYTES: '0' },
    { MAX_OPEN_UPLOADS: '0' },
    { MAX_OPEN_UPLOAD_BYTES: '536870911' },
    { MIN_FREE_BYTES: '10%' },
    { UPLOAD_STALL_SECONDS: '-1' },
    { MEDIA_LINK_TTL_SECONDS: 'day' },
    { MEDIA_TTL_DAYS: '-1' },
    { RESUMABLE_UPLOAD_TTL_HOURS: '0' },
    { RATE_LIMIT_PER_MINUTE: '0' },
    { UPSTREAM_CONCURRENCY: 'many' },
    { METRICS_TOKEN: 'short' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    { METRICS_PORT: 'http' },
    { METRICS_PORT: '9000', PORT: '9000' },
    { METRICS_FUNDS: 'yes', METRICS_PORT: '9000' },
    { METRICS_FUNDS: 'on' },
  ])('%o', (env) => {
    const [name = ''] = Object.keys(env);
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name} .*\\.$`));
  });

  it('never contains the value, which may be a secret', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://me:hunter2@db' })).toThrow(/^(?!.*hunter2)/);
  });
});

describe('an object store', () => {
  const S3 = {
    S3_ENDPOINT: 'https://store.example/',
    S3_REGION: 'eu-central-1',
    S3_BUCKET: 'studio',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'hunter2',
  };

  it('is used if its variables are set', () => {
    expect(readConfig({}).s3).toBeNull();
    expect(readConfig(S3).s3).toEqual({
      endpoint: 'https://store.example',
      region: 'eu-central-1',
      bucket: 'studio',
      accessKey: { id: 'id', secret: 'hunter2' },
      links: 'stream',
    });
  });

  it('defaults to Amazon in the region; other stores need no region', () => {
    expect(readConfig({ ...S3, S3_ENDPOINT: '' }).s3?.endpoint).toBe('https://s3.eu-central-1.amazonaws.com');
    expect(readConfig({ ...S3, S3_REGION: '' }).s3?.region).toBe('us-east-1');
    const { S3_ACCESS_KEY_ID: _id, S3_SECRET_ACCESS_KEY: _secret, ...withoutKey } = S3;
    expect(readConfig(withoutKey).s3).toMatchObject({ bucket: 'studio', accessKey: null });
  });

  it.each([
    { S3_BUCKET: '' },
    { S3_BUCKET: 'Studio' },
    { S3_BUCKET: '../studio' },
    { S3_ACCESS_KEY_ID: '' },
    { S3_SECRET_ACCESS_KEY: '' },
    { S3_SECRET_ACCESS_KEY: 'hunter2 and more' },
    { S3_REGION: '', S3_ENDPOINT: '' },
    { S3_REGION: 'Europe' },
    { S3_ENDPOINT: 'store.example' },
    { S3_ENDPOINT: 'https://store.example/studio' },
    { S3_ENDPOINT: 'https://id:hunter2@store.example' },
    { S3_LINKS: 'public' },
    { S3_LINKS: 'presigned', S3_ENDPOINT: 'http://store.example', PUBLIC_URL: 'https://studio.example' },
  ])('is rejected with %o', (wrong) => {
    const [name = ''] = Object.keys(wrong);
    expect(() => readConfig({ ...S3, ...wrong })).toThrow(ConfigError);
    expect(() => readConfig({ ...S3, ...wrong })).toThrow(new RegExp(`^${name} (?!.*hunter2).*\\.$`));
  });
});

describe('private networks', () => {
  it.each(['http://localhost:1', 'http://127.0.0.9', 'http://[::1]:80', 'http://studio.localhost'])(
    'are allowed at %s',
    (PUBLIC_URL) => {
      const networks = ['127.0.0.0/8', 'fd00::/8'];
      expect(readConfig({ PUBLIC_URL, ALLOW_PRIVATE_NETWORKS: networks.join(',') }).allowPrivateNetworks).toEqual(
        networks,
      );
    },
  );

  it.each(['https://studio.example.com', 'http://10.0.0.5', 'http://localhost.example.com'])(
    'are rejected at %s',
    (PUBLIC_URL) => {
      expect(() => readConfig({ PUBLIC_URL, ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' })).toThrow(
        /^ALLOW_PRIVATE_NETWORKS/,
      );
    },
  );
});

it('accepts own links as references without TLS or at another port', () => {
  expect(ownMediaOrigin(readConfig({ PUBLIC_URL: 'http://localhost:9000/' }))).toBe('http://localhost:9000');
  expect(ownMediaOrigin(readConfig({ PUBLIC_URL: 'https://localhost:8443' }))).toBe('https://localhost:8443');
  for (const PUBLIC_URL of ['https://studio.example.com', 'https://studio.example.com:443'])
    expect(ownMediaOrigin(readConfig({ PUBLIC_URL }))).toBeNull();
});

describe('mail and the identity provider', () => {
  const oidc = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' };

  it('are off by default', () => {
    expect(readConfig({})).toMatchObject({ mail: null, oidc: null });
  });

  it('are read from their variables', () => {
    const mail = { SMTP_URL: 'smtps://a:b@smtp.example.com', MAIL_FROM: 'Emulsion <studio@example.com>' };
    expect(readConfig(mail).mail).toEqual({ smtp_url: mail.SMTP_URL, from: mail.MAIL_FROM });
    const more = { OIDC_ALLOWED_DOMAINS: 'Example.com example.org', OIDC_DEFAULT_ROLE: 'member' };
    expect(readConfig({ ...oidc, ...more, OIDC_ROLE_MAP: 'finance=auditor' }).oidc).toEqual({
      issuer: 'https://login.example.com',
      client_id: 'id',
      client_secret: 'secret',
      name: 'login.example.com',
      allowed_domains: ['example.com', 'example.org'],
      role_claim: null,
      role_map: new Map([['finance', 'auditor']]),
      default_role: 'member',
      trusts_email: false,
    });
    expect(readConfig({ ...oidc, OIDC_TRUST_EMAIL: 'true' }).oidc?.trusts_email).toBe(true);
  });

  it.each([
    [{ SMTP_URL: 'https://smtp.example.com', MAIL_FROM: 'a@example.com' }, /SMTP_URL/],
    [{ SMTP_URL: 'smtp://smtp.example.com' }, /MAIL_FROM/],
    [{ MAIL_FROM: 'a@example.com' }, /SMTP_URL/],
    [{ SMTP_URL: 'smtp://smtp.example.com', MAIL_FROM: 'nobody' }, /MAIL_FROM/],
    [{ ...oidc, OIDC_ISSUER: 'login.example.com' }, /OIDC_ISSUER/],
    [{ ...oidc, OIDC_CLIENT_SECRET: '' }, /OIDC_CLIENT_SECRET/],
    [{ ...oidc, OIDC_ALLOWED_DOMAINS: '@example.com' }, /OIDC_ALLOWED_DOMAINS/],
    [{ ...oidc, OIDC_DEFAULT_ROLE: 'member' }, /requires OIDC_ALLOWED_DOMAINS/],
    [{ ...oidc, OIDC_ALLOWED_DOMAINS: 'example.com', OIDC_DEFAULT_ROLE: 'owner' }, /OIDC_DEFAULT_ROLE/],
    [{ ...oidc, OIDC_ROLE_MAP: 'finance' }, /OIDC_ROLE_MAP/],
    [{ ...oidc, OIDC_ALLOWED_DOMAINS: 'ban\u212A.example' }, /OIDC_ALLOWED_DOMAINS/],
    [{ ...oidc, OIDC_TRUST_EMAIL: 'yes' }, /OIDC_TRUST_EMAIL/],
    ...['common/v2.0', 'Organizations/v2.0', 'consumers', '%63ommon', '9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'].map(
      (path): [Record<string, string>, RegExp] => [
        { ...oidc, OIDC_ISSUER: `https://login.microsoftonline.com/${path}`, OIDC_TRUST_EMAIL: 'true' },
        /OIDC_TRUST_EMAIL needs an OIDC_ISSUER of your organization alone/,
      ],
    ),
  ])('refuse %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});

describe('content credentials', () => {
  const files = { C2PA_CERT_FILE: 'chain.pem', C2PA_KEY_FILE: 'key.pem' };

  it('are signed with a self-made certificate and without time stamps by default', () => {
    expect(readConfig({}).credentials).toEqual({ certificate: null, timeStampUrl: null });
    expect(readConfig({ ...files, C2PA_TSA_URL: 'https://tsa.example.com/tsr?a=b' }).credentials).toEqual({
      certificate: { certFile: 'chain.pem', keyFile: 'key.pem' },
      timeStampUrl: 'https://tsa.example.com/tsr?a=b',
    });
  });

  it.each([
    [{ ...files, C2PA_CERT_FILE: '' }, /^C2PA_CERT_FILE is required by C2PA_KEY_FILE\.$/],
    [{ ...files, C2PA_KEY_FILE: '' }, /^C2PA_KEY_FILE is required by C2PA_CERT_FILE\.$/],
    [{ C2PA_TSA_URL: 'http://tsa.example.com' }, /^C2PA_TSA_URL must/],
    [{ C2PA_TSA_URL: 'tsa.example.com' }, /^C2PA_TSA_URL must/],
    [{ C2PA_TSA_URL: 'https://me:hunter2@tsa.example.com' }, /^C2PA_TSA_URL must (?!.*hunter2)/],
  ])('refuse %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(message);
  });
});
