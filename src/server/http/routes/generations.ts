import { cancelGeneration } from '#server/studio/generations/cancel-generation.ts';
import { cancelGenerations } from '#server/studio/generations/cancel-generations.ts';
import { createGeneration } from '#server/studio/generations/create-generation.ts';
import { readGeneration } from '#server/studio/generations/find-generation.ts';
import { listGenerations } from '#server/studio/generations/list-generations.ts';
import { retryGeneration } from '#server/studio/generations/retry-generation.ts';
import { createIdempotentRequest } from '#server/accounts/idempotency/idempotent-request.ts';
import type { Deps } from '#server/platform/deps.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import { type Handlers, toReply } from '#server/http/handler.ts';

export const generationRoutes = (deps: Deps) =>
  ({
    list_generations: ({ caller, query: { person_id, ...query } }) =>
      listGenerations(deps, scopeWork(caller, person_id), query),

    get_generation: ({ caller, params }) => readGeneration(deps, caller.organization_id, params.generation_id),

    async create_generation({ caller, body, raw_body, idempotency_key, signal }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/generations', raw_body);
      return toReply(await createGeneration(deps, caller, body, idempotent_request, signal));
    },

    cancel_generation: ({ caller, params }) => cancelGeneration(deps, caller, params.generation_id),

    cancel_generations: ({ caller, body }) => cancelGenerations(deps, caller, body),

    async retry_generation({ caller, params: { generation_id }, idempotency_key, signal }) {
      const path = `/v1/generations/${generation_id}/retry`;
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, path, undefined);
      return toReply(await retryGeneration(deps, caller, generation_id, idempotent_request, signal));
    },
  }) satisfies Handlers;
