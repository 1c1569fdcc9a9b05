import type { Generation } from '#contract/resources/generation.ts';
import type { Caller } from '../../caller.ts';
import { cancelGeneration } from '../../generations/cancel.ts';
import { type Creating, createGeneration } from '../../generations/create.ts';
import { readGeneration } from '../../generations/find.ts';
import { listGenerations } from '../../generations/list.ts';
import { retryGeneration } from '../../generations/retry.ts';
import { fingerprint } from '../../idempotency/fingerprint.ts';
import type { Answer, KeyedRequest } from '../../idempotency/once.ts';
import { type Handlers, type Reply, reply } from '../bind.ts';

export const generationRoutes = (deps: Creating) =>
  ({
    list_generations: ({ caller, query }) => listGenerations(deps, caller.organization_id, query),

    get_generation: ({ caller, params }) => readGeneration(deps, caller.organization_id, params.generation_id),

    async create_generation({ caller, body, raw_body, idempotency_key, signal }) {
      const keyed = keyedRequest(caller, idempotency_key, '/v1/generations', raw_body);
      return answered(await createGeneration(deps, caller, body, keyed, signal));
    },

    cancel_generation: ({ caller, params }) => cancelGeneration(deps, caller.organization_id, params.generation_id),

    async retry_generation({ caller, params: { generation_id }, idempotency_key, signal }) {
      const path = `/v1/generations/${generation_id}/retry`;
      const keyed = keyedRequest(caller, idempotency_key, path, undefined);
      return answered(await retryGeneration(deps, caller, generation_id, keyed, signal));
    },
  }) satisfies Handlers;

function keyedRequest(
  { organization_id }: Caller,
  key: string | undefined,
  path: string,
  body: unknown,
): KeyedRequest | undefined {
  if (key === undefined) return undefined;
  return { organization_id, key, scope: `POST ${path}`, fingerprint: fingerprint('POST', path, body) };
}

/** Spec: Request shape notes (Idempotency-Key); Decision: Idempotency */
const answered = ({ body, replayed }: Answer<Generation>): Generation | Reply<Generation> =>
  replayed ? reply(body, { 'Idempotent-Replayed': 'true' }) : body;
