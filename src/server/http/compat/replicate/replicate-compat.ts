import { isInScope } from '#server/accounts/keys/assert-in-scope.ts';
import type { ErrorCode } from '#contract/api/errors.ts';
import type { CompatCall, CompatReply, CompatAdapter } from '#server/http/compat/compat-adapter.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { createFile, deleteFile, getFile, listFiles } from './files.ts';
import { readPage, toPage } from './pages.ts';
import { cancelPrediction, createPrediction, getPrediction, listPredictions } from './predictions.ts';
import { REPLICATE_PREFIX } from './present-prediction.ts';
import { findReplicateModel, listReplicateModels, presentModel, presentVersion } from './replicate-models.ts';
import { buildCallback, webhookSecret } from './webhook-callback.ts';

const MODELS_PER_PAGE = 25;

const modelOf = (call: CompatCall) => findReplicateModel(call, `${call.params['owner']}/${call.params['name']}`);

/** The cursor is the number of models before the page. */
async function listModels(call: CompatCall): Promise<CompatReply> {
  const { cursor = '0' } = readPage(call);
  const start = /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
  const models = listReplicateModels(call).filter(({ entries }) =>
    entries.some((entry) => isInScope(call.caller, entry)),
  );
  const end = start + MODELS_PER_PAGE;
  const page = models.slice(start, end).map((model) => presentModel(call, model));
  return toPage(call, page, end < models.length ? String(end) : null);
}

async function listVersions(call: CompatCall): Promise<CompatReply> {
  readPage(call);
  return toPage(call, [presentVersion(modelOf(call))], null);
}

async function getVersion(call: CompatCall): Promise<CompatReply> {
  const model = modelOf(call);
  if (model.version !== call.params['id'])
    throw new ApiError(
      'not_found',
      'This version does not exist here. latest_version of the model is the current one.',
    );
  return { body: presentVersion(model) };
}

const toUserName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'emulsion';

async function getAccount(call: CompatCall): Promise<CompatReply> {
  const { organization, person } = await call.send('get_me', {});
  const { name } = person ?? organization;
  return { body: { type: person ? 'user' : 'organization', username: toUserName(name), name } };
}

/** Statuses that Replicate has where ours are those of the fixed interface. */
const STATUSES: Partial<Record<ErrorCode, number>> = { model_not_found: 404, model_not_allowed: 403 };

const TITLES: Readonly<Record<number, string>> = {
  401: 'Unauthenticated',
  402: 'Payment required',
  403: 'Not permitted',
  404: 'Not found',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Content too large',
  422: 'Input validation failed',
  429: 'Request was throttled',
  500: 'Internal server error',
  503: 'Service unavailable',
};

function presentError({ code, message, status: ownStatus, details }: ApiError): CompatReply {
  const status = STATUSES[code] ?? ownStatus;
  const invalidFields = details?.map(({ path, message: description }) => ({
    type: 'invalid',
    field: path,
    description,
  }));
  return {
    status,
    body: {
      title: TITLES[status] ?? 'Bad request',
      detail: details?.map(({ path, message: text }) => `- ${path}: ${text}\n`).join('') || message,
      status,
      type: code,
      ...(invalidFields && invalidFields.length > 0 ? { invalid_fields: invalidFields } : {}),
    },
  };
}

/** Replicate’s API. https://replicate.com/docs/reference/http */
export const replicateCompat: CompatAdapter = {
  id: 'replicate',
  name: 'Replicate',
  prefix: REPLICATE_PREFIX,
  rows: [
    { method: 'GET', path: '/account', permission: 'account.use', run: getAccount },
    { method: 'GET', path: '/models', permission: 'work.read', run: listModels },
    {
      method: 'GET',
      path: '/models/:owner/:name',
      permission: 'work.read',
      run: async (call) => ({ body: presentModel(call, modelOf(call)) }),
    },
    { method: 'GET', path: '/models/:owner/:name/versions', permission: 'work.read', run: listVersions },
    { method: 'GET', path: '/models/:owner/:name/versions/:id', permission: 'work.read', run: getVersion },
    {
      method: 'POST',
      path: '/models/:owner/:name/predictions',
      permission: 'work.create',
      reads: 'json',
      run: createPrediction,
    },
    { method: 'POST', path: '/predictions', permission: 'work.create', reads: 'json', run: createPrediction },
    { method: 'GET', path: '/predictions', permission: 'work.read', run: listPredictions },
    { method: 'GET', path: '/predictions/:id', permission: 'work.read', run: getPrediction },
    { method: 'POST', path: '/predictions/:id/cancel', permission: 'work.create', run: cancelPrediction },
    { method: 'POST', path: '/files', permission: 'uploads.create', reads: 'form', run: createFile },
    { method: 'GET', path: '/files', permission: 'work.read', run: listFiles },
    { method: 'GET', path: '/files/:id', permission: 'work.read', run: getFile },
    { method: 'DELETE', path: '/files/:id', permission: 'work.create', run: deleteFile },
    {
      method: 'GET',
      path: '/webhooks/default/secret',
      permission: 'webhooks.manage',
      run: async ({ deps, caller }) => ({ body: { key: webhookSecret(deps, caller.organization_id) } }),
    },
  ],
  readKey: (authorization) => /^(?:Bearer|Token) +(\S+) *$/i.exec(authorization)?.[1] ?? null,
  presentError,
  cors: { allowed: ['prefer'], exposed: [] },
  callback: { build: buildCallback },
};
