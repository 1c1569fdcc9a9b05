import type { CompatAdapter } from '#server/http/compat/compat-adapter.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { buildFalCallback } from './callback.ts';
import { presentFalError } from './fal-compat-errors.ts';
import { FAL_CORS, FAL_PREFIX } from './proxy-target.ts';
import { cancelRequest, readRequest, runRequest, submitRequest } from './queue.ts';
import { initiateUpload, uploadAddresses } from './fal-storage.ts';

/** fal's queue, direct runs and storage, for its client by `proxyUrl`, and for programs that write the paths themselves. */
export const falCompat: CompatAdapter = {
  id: 'fal',
  name: 'fal',
  prefix: FAL_PREFIX,
  rows: [
    { method: 'POST', path: '/queue/*', permission: 'work.create', reads: 'json', run: submitRequest },
    { method: 'GET', path: '/queue/*', permission: 'work.read', run: readRequest },
    { method: 'PUT', path: '/queue/*', permission: 'work.create', run: cancelRequest },
    { method: 'POST', path: '/run/*', permission: 'work.create', reads: 'json', run: runRequest },
    {
      method: 'POST',
      path: '/storage/upload/initiate',
      permission: 'uploads.create',
      reads: 'json',
      run: initiateUpload('files'),
    },
    {
      method: 'POST',
      path: '/storage/upload/initiate-multipart',
      permission: 'uploads.create',
      reads: 'json',
      run: initiateUpload('multipart'),
    },
    { method: 'POST', path: '/*', permission: 'work.create', reads: 'json', run: runRequest },
  ],
  readKey: (authorization) => /^(?:Key|Bearer) +(\S+)$/i.exec(authorization)?.[1] ?? null,
  cors: FAL_CORS,
  presentError: presentFalError,
  callback: { build: async ({ offering }, _organization, order) => buildFalCallback(offering.current(), order) },
  addRoutes(scope, deps) {
    uploadAddresses(scope, deps);
    scope.all('/', async (request) => {
      await deps.rate_limit.countAddress(request.ip);
      throw new ApiError(
        'invalid_request',
        `proxyUrl ends with ${FAL_PREFIX}, and x-fal-target-url is at queue.fal.run, fal.run or rest.fal.ai, with https.`,
      );
    });
  },
};
