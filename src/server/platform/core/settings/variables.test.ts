import { expect, it } from 'vitest';
import { findUnknownVariables, VARIABLES } from './variables.ts';

it.each([
  ['METRICS_TOKN', 'METRICS_TOKEN'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['trust_proxy', 'TRUST_PROXY'],
  ['DATADIR', 'DATA_DIR'],
  ['S3_BUCKETS', 'S3_BUCKET'],
  ['OIDC_CLIENTSECRET', 'OIDC_CLIENT_SECRET'],
  ['MEDIA_TTL', 'MEDIA_TTL_DAYS'],
  ['OIDC_ISSUER_URL', 'OIDC_ISSUER'],
])('%s is told to have no effect, and that %s may be meant', (name, meant) => {
  expect(findUnknownVariables({ [name]: 'x' })).toEqual([
    `${name} is no setting of Emulsion and has no effect: is ${meant} meant?`,
  ]);
});

it('tells of names with a prefix of its own settings, and never their values', () => {
  expect(findUnknownVariables({ OIDC_SCOPES: 'verysecret' })).toEqual([
    'OIDC_SCOPES is no setting of Emulsion and has no effect.',
  ]);
});

it('accepts its own settings and those of other programs', () => {
  const others = ['HOME', 'HOSTNAME', 'PATH', 'PWD', 'OPENAI_API_KEY', 'AWS_REGION', 'PGHOST', 'NODE_ENV'];
  const kubernetes = ['METRICS_SERVICE_HOST', 'METRICS_PORT_9100_TCP_ADDR', 'S3_SERVICE_PORT_HTTP'];
  const names = [
    ...VARIABLES,
    ...others,
    ...kubernetes,
    'OTEL_EXPORTER_OTLP_HEADERS',
    'REDIS_URL',
    'MAIL_HOST',
    'MEDIA',
    'LOG_LEVEL_ROOT',
  ];
  expect(findUnknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
