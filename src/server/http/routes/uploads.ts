import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from '#contract/api/endpoints.ts';
import { UPLOAD_ID_HEADER } from '#contract/api/headers.ts';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import type { SamplePosters } from '#server/models/preview/social/sample-posters.ts';
import { ApiError, assertFound } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { checkReference } from '#server/studio/generations/create/check-reference.ts';
import { createExternalFiles } from '#server/studio/generations/create/read-external-file.ts';
import { createUpload, type UploadDeps } from '#server/studio/uploads/create-upload.ts';
import { deleteUpload } from '#server/studio/uploads/delete-upload.ts';
import { findUpload, listUploads } from '#server/studio/uploads/list-uploads.ts';
import { releaseAllLocks } from '#server/studio/uploads/resumable/lock-resumable.ts';
import { createResumableUploads } from '#server/studio/uploads/resumable/resumable-uploads.ts';
import { sweepResumable } from '#server/studio/uploads/resumable/sweep-resumable.ts';
import type { TusResponse } from '#server/studio/uploads/resumable/tus-messages.ts';
import { TUS_VERSION } from '#server/studio/uploads/resumable/tus-server.ts';
import { savePost } from '#server/studio/uploads/save-post.ts';
import { authenticate } from '#server/http/authenticate.ts';
import { assertUncompressed } from '#server/http/compressed-body.ts';
import type { Handlers } from '#server/http/handler.ts';
import type { RateLimit } from '#server/http/rate-limit.ts';

export function uploadRoutes(deps: UploadDeps, samplePosters: SamplePosters) {
  const referenceDeps = { ...deps, samplePosters, externalFiles: createExternalFiles(deps) };
  return {
    create_upload: ({ caller, incoming, signal }) => createUpload(deps, caller, incoming, signal),

    list_uploads: ({ caller, query: { person_id, ...query } }) =>
      listUploads(deps, scopeWork(caller, person_id), query),

    async get_upload({ caller, params }) {
      const upload = await findUpload(deps, caller.organization_id, params.upload_id);
      assertFound(upload, 'Upload');
      return upload;
    },

    delete_upload: async ({ caller, params }) =>
      assertFound(await deleteUpload(deps, caller, params.upload_id), 'Upload'),

    check_reference: ({ caller, body, signal }) => checkReference(referenceDeps, caller, body.url, signal),

    save_post: ({ caller, params, body, signal }) =>
      savePost(referenceDeps, caller, params.generation_id, body.post_id, signal),
  } satisfies Handlers;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    cors?: FastifyCorsOptions;
  }
}

const SWEEP_INTERVAL_MS = 600_000;
const routeConfig = { endpoint: 'create_upload' } as const;

/** Headers for other origins, in addition to those of every request. */
export const RESUMABLE_CORS = {
  allowed: [
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Defer-Length',
    'Upload-Metadata',
    'Upload-Offset',
    'X-HTTP-Method-Override',
  ],
  exposed: [
    'Location',
    'Tus-Extension',
    'Tus-Max-Size',
    'Tus-Resumable',
    'Tus-Version',
    'Upload-Defer-Length',
    'Upload-Expires',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
    UPLOAD_ID_HEADER,
  ],
};

/** Serves the tus protocol, see docs/uploads.md. */
export function resumableRoutes(app: FastifyInstance, deps: UploadDeps & { rate_limit: RateLimit }): void {
  const uploads = createResumableUploads(deps);
  const stopSweeping = repeatEvery(deps, SWEEP_INTERVAL_MS, () => sweepResumable(deps));
  app.addHook('onClose', stopSweeping);
  app.addHook('onListen', async () => {
    // The embedded database serves one process, so existing locks belong to a process that has ended.
    if (deps.config.databaseUrl === null) await releaseAllLocks(deps.db);
    await sweepResumable(deps);
  });

  const tell = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION, 'cache-control': 'no-store' });
  };
  const refuseCompressed = async ({ raw }: FastifyRequest) => assertUncompressed(raw, endpoints.create_upload);
  const discover = async (request: FastifyRequest, reply: FastifyReply) => {
    await authenticate(deps, { permission: null }, request, reply);
    return sendTusResponse(reply, await uploads.getCapabilities(request.raw));
  };

  for (const [url, methods] of Object.entries(TUS_METHODS)) {
    app.route({
      method: 'OPTIONS',
      url,
      // OPTIONS serves CORS preflights and tus discovery; both get both responses.
      config: { ...routeConfig, cors: { strictPreflight: false, preflightContinue: true } },
      onRequest: tell,
      handler: discover,
    });
    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      const method = readTusMethod(request);
      if (method === 'OPTIONS') return discover(request, reply);
      if (!methods.includes(method)) {
        reply.header('allow', [...methods, 'OPTIONS'].join(', '));
        throw new ApiError('method_not_allowed', `The methods here are ${methods.join(', ')} and OPTIONS.`);
      }
      const { headers, ip, protocol, host } = request;
      const sent = { method, headers, ip, protocol, host };
      request.caller = await authenticate(deps, { permission: 'uploads.create' }, sent, reply);
    };
    app.route<{ Params: { id?: string } }>({
      method: ['POST', 'HEAD', 'PATCH', 'DELETE'],
      url,
      config: routeConfig,
      onRequest: [tell, admit, refuseCompressed],
      handler: async (request, reply) => {
        const { raw, params } = request;
        const caller = requireCaller(request);
        const response =
          params.id === undefined
            ? await uploads.create(caller, raw)
            : await uploads.handle(caller, { id: params.id, method: readTusMethod(request) }, raw);
        return sendTusResponse(reply, response);
      },
    });
  }
}

const TUS_METHODS: Readonly<Record<string, readonly string[]>> = {
  [RESUMABLE_UPLOADS_PATH]: ['POST'],
  [`${RESUMABLE_UPLOADS_PATH}/:id`]: ['HEAD', 'PATCH', 'DELETE'],
};

/** tus 1.0: the header replaces the method, for clients that can send no PATCH or DELETE. */
const readTusMethod = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): string =>
  String(headers['x-http-method-override'] ?? method);

const sendTusResponse = (reply: FastifyReply, { status, headers }: TusResponse): FastifyReply =>
  reply.code(status).headers(headers).send();

function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('A request without a caller was admitted.');
  return caller;
}
