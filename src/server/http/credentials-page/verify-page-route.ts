import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { VERIFY_PATH } from '#contract/limits.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { type VerifyDeps, verifyUpload } from '#server/studio/credentials/verify-upload.ts';
import { COMPRESSED_BODY_MESSAGE, isCompressed } from '#server/http/compressed-body.ts';
import { disconnectSignal } from '#server/http/disconnect-signal.ts';
import { sendEarly } from '#server/http/errors.ts';
import { networkPrefix, type RateLimit } from '#server/http/rate-limit.ts';
import { credentialsPolicy } from './credentials-style.ts';
import { renderVerifyPage } from './render-page.ts';

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': credentialsPolicy(true),
  'content-type': 'text/html; charset=utf-8',
};

/** Serves `/verify`, where anyone checks a file without script or account. */
export function verifyPageRoutes(app: FastifyInstance, deps: VerifyDeps & { rate_limit: RateLimit }): void {
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers(HEADERS);
    try {
      await deps.rate_limit.countAddress(request.ip);
      return await sendEarly(request, reply, await renderResponse(deps, request, reply));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.cause !== undefined) request.log.debug({ err: error.cause, code: error.code }, 'file not checked');
      reply.code(error.status);
      if (error.retry_after_seconds !== undefined)
        reply.header('retry-after', String(Math.ceil(error.retry_after_seconds)));
      return sendEarly(request, reply, renderVerifyPage(null, error.message));
    }
  };
  app.route({ method: ['GET', 'HEAD', 'POST'], url: VERIFY_PATH, handler: respond });
}

async function renderResponse(deps: VerifyDeps, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  if (request.method !== 'POST') return renderVerifyPage(null);
  if (isCompressed(request.raw)) throw new ApiError('invalid_media_upload', COMPRESSED_BODY_MESSAGE);
  const client = { address: networkPrefix(request.ip) };
  return renderVerifyPage(await verifyUpload(deps, request.raw, client, disconnectSignal(reply)));
}
