import { cancelGeneration } from '../../generations/cancel.ts';
import { type CreateGenerationDeps, createGeneration } from '../../generations/create.ts';
import { readGeneration } from '../../generations/find.ts';
import { listGenerations } from '../../generations/list.ts';
import { retryGeneration } from '../../generations/retry.ts';
import { createIdempotentRequest } from '../../idempotency/keyed-request.ts';
import type { Deps } from '../../deps.ts';
import { type Handlers, toReply } from '../bind.ts';

export const generationRoutes = (deps: CreateGenerationDeps & Pick<Deps, 'transition_listeners'>) =>
  ({
    list_generations: ({ caller, query }) => listGenerations(deps, caller.organization_id, query),

    get_generation: ({ caller, params }) => readGeneration(deps, caller.organization_id, params.generation_id),

    async create_generation({ caller, body, raw_body, idempotency_key, signal }) {
      const keyed = createIdempotentRequest(caller, idempotency_key, '/v1/generations', raw_body);
      return toReply(await createGeneration(deps, caller, body, keyed, signal));
    },

    cancel_generation: ({ caller, params }) => cancelGeneration(deps, caller.organization_id, params.generation_id),

    async retry_generation({ caller, params: { generation_id }, idempotency_key, signal }) {
      const path = `/v1/generations/${generation_id}/retry`;
      const keyed = createIdempotentRequest(caller, idempotency_key, path, undefined);
      return toReply(await retryGeneration(deps, caller, generation_id, keyed, signal));
    },
  }) satisfies Handlers;
