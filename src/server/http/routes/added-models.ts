import type { AddedModel } from '#contract/resources/added-model.ts';
import { completeList, type Handlers, toReply } from '#server/http/handler.ts';
import {
  listModelProviders,
  presentInspection,
  readModel,
  searchProviderModels,
} from '#server/models/added-models/inspect-model.ts';
import {
  changeAddedModel,
  createAddedModel,
  removeAddedModel,
  upgradeAddedModel,
} from '#server/models/added-models/manage-added-models.ts';
import { compareAddedModel, listAddedModels, readAddedModel } from '#server/models/added-models/present-added-model.ts';
import { createCheckLimit } from '#server/models/connections/check-limit.ts';
import { assertOperator } from '#server/models/connections/manage-providers.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { listModelTests, testAddedModel } from '#server/studio/generations/test-added-model.ts';

/** Decision: Added models */
export function addedModelRoutes(deps: Deps) {
  const countCheck = createCheckLimit(deps);
  /** Prices of models are the operator's, because its providers run them. */
  const assertAllowed = (caller: Caller) => assertOperator(deps, caller, 'Added models');
  const read = async ({ organization_id }: Caller, id: string): Promise<AddedModel> => {
    const model = await readAddedModel(deps, organization_id, id);
    return { ...model, tests: await listModelTests(deps, organization_id, model.id) };
  };
  return {
    async list_added_models({ caller }) {
      await assertAllowed(caller);
      return completeList(await listAddedModels(deps, caller.organization_id));
    },
    async list_model_providers({ caller }) {
      await assertAllowed(caller);
      return completeList(await listModelProviders(deps));
    },
    async search_provider_models({ caller, body, signal }) {
      await assertAllowed(caller);
      await countCheck(caller);
      return completeList(await searchProviderModels(deps, body, signal));
    },
    async inspect_model({ caller, body, signal }) {
      await assertAllowed(caller);
      await countCheck(caller);
      return presentInspection(await readModel(deps, body, signal));
    },
    async create_added_model({ caller, body, signal }) {
      await assertAllowed(caller);
      await countCheck(caller);
      return read(caller, await createAddedModel(deps, caller, body, signal));
    },
    async get_added_model({ caller, params }) {
      await assertAllowed(caller);
      return read(caller, params.model_id);
    },
    async update_added_model({ caller, params, body }) {
      await assertAllowed(caller);
      await changeAddedModel(deps, caller, params.model_id, body);
      return read(caller, params.model_id);
    },
    async test_added_model({ caller, params, body, idempotentRequest, signal }) {
      await assertAllowed(caller);
      const model = await readAddedModel(deps, caller.organization_id, params.model_id);
      return toReply(await testAddedModel(deps, caller, model, body.input, idempotentRequest, signal));
    },
    async compare_added_model({ caller, params, signal }) {
      await assertAllowed(caller);
      await countCheck(caller);
      return compareAddedModel(deps, caller.organization_id, params.model_id, signal);
    },
    async upgrade_added_model({ caller, params, body, signal }) {
      await assertAllowed(caller);
      await countCheck(caller);
      await upgradeAddedModel(deps, caller, params.model_id, body, signal);
      return read(caller, params.model_id);
    },
    async remove_added_model({ caller, params }) {
      await assertAllowed(caller);
      await removeAddedModel(deps, caller, params.model_id);
    },
  } satisfies Handlers;
}
