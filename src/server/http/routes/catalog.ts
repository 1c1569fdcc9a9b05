import { isAddedTaskId, isExtraTaskId } from '#contract/catalog.ts';
import { boundOf, priceOrder } from '#contract/money/price-order.ts';
import { type AnyModelId, EXTRA_TASK_IDS, MODEL_IDS, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { Task } from '#contract/resources/catalog.ts';
import { formatUsd } from '#contract/money/money.ts';
import { EXTRA_PRICES, presentPrices } from '#contract/money/pricing.ts';
import { findEngineKind, isTaskAvailable, missingToolsMessage } from '#server/models/catalog/availability.ts';
import { deleteCatalogLabel, setCatalogLabel } from '#server/models/catalog/catalog-labels.ts';
import { describeModel } from '#server/models/catalog/describe-model.ts';
import { describeTask } from '#server/models/catalog/describe-task.ts';
import { validateRequest } from '#server/models/catalog/validate-request.ts';
import { createCheckLimit } from '#server/models/connections/check-limit.ts';
import { removeBillingKey, setBillingKey } from '#server/models/bills/manage-billing-keys.ts';
import { listProviderJobs } from '#server/models/connections/list-provider-jobs.ts';
import { listPresets, listProviders } from '#server/models/connections/list-providers.ts';
import {
  assertOperator,
  connectProvider,
  readProvider,
  removeProvider,
  rotateProviderKey,
  testProvider,
  testProviderKey,
  updateProvider,
} from '#server/models/connections/manage-providers.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readLinkedMediaLengths } from '#server/studio/assets/linked-media-lengths.ts';
import { assertMediaRules } from '#server/studio/generations/create/price-request.ts';
import { completeList, createReply, type HandlerReply, type Handlers } from '#server/http/handler.ts';
import { isModelVisible } from '#server/models/added-models/added-models.ts';
import { taskModels } from '#server/models/catalog/offering.ts';
import type { Caller } from '#server/platform/core/caller.ts';

/** Spec: Catalog: models and tasks, Published prices; Decision: Tasks and models */
export const catalogRoutes = (deps: Deps) => {
  const visibleModels = (caller: Caller | null) =>
    [...deps.offering.current().added.values()].filter((model) => isModelVisible(model, caller));
  /** Answers that depend on who asks are no public ones. A draft is seen by its managers alone. */
  const reply = <B>(body: B, caller: Caller | null): B | HandlerReply<B> => {
    const models = [...deps.offering.current().added.values()];
    const isOpen = models.some(({ state }) => state === 'published' || state === 'paused');
    if (!isOpen && visibleModels(caller).length === 0) return body;
    return createReply(body, {
      vary: 'Authorization, Cookie',
      ...(caller ? { 'cache-control': 'private, no-cache' } : {}),
    });
  };
  const presentTask = (id: TaskId, models: readonly AnyModelId[], caller: Caller | null): Task => {
    const engine = findEngineKind(deps, id, null);
    const display = deps.offering.current().labels.get(id);
    const unavailableReason = missingToolsMessage(deps, id);
    return {
      ...describeTask(id, [...models]),
      available: isTaskAvailable(deps, id, caller),
      ...(unavailableReason === null ? {} : { unavailable_reason: unavailableReason }),
      ...(engine ? { engine } : {}),
      ...(display ? { display } : {}),
    };
  };
  return {
    list_tasks: async ({ caller = null }) => {
      const list = TASK_IDS.filter((id) => !isExtraTaskId(id)).flatMap((id) => {
        const models = taskModels(deps.offering.current(), id, caller);
        return isAddedTaskId(id) && models.length === 0 ? [] : presentTask(id, models, caller);
      });
      const extra = EXTRA_TASK_IDS.map((id) => presentTask(id, [], caller));
      return reply({ ...completeList(list), extra }, caller);
    },

    list_models: async ({ caller = null }) =>
      reply(
        completeList([...MODEL_IDS, ...visibleModels(caller).map(({ id }) => id)].map((id) => describeModel(deps, id))),
        caller,
      ),

    async get_pricing({ caller = null }) {
      const added = visibleModels(caller).map(({ id, current }) => ({
        task: current.task,
        model: id,
        name: current.name,
        price: current.price,
        bound_usd: formatUsd(boundOf(current)),
      }));
      const data = presentPrices(deps.offering.current().prices);
      const pricing = {
        object: 'pricing' as const,
        currency: 'usd' as const,
        data,
        extra: presentPrices(EXTRA_PRICES),
      };
      return reply(added.length > 0 ? { ...pricing, added } : pricing, caller);
    },

    async create_estimate({ caller = null, body }) {
      const request = validateRequest(deps, ownMediaOrigin(deps.config), caller, body);
      const { task, model } = request;
      assertMediaRules(request, [], new Map());
      const lengths = await readLinkedMediaLengths(deps, request);
      const priced = priceOrder(deps.offering.current(), request, request.input, lengths);
      return {
        object: 'estimate',
        task,
        model,
        currency: 'usd',
        amount_usd: formatUsd(priced.amount_micro_usd),
        minimum_usd: formatUsd(priced.minimum_micro_usd),
        basis: priced.basis,
        line_items: priced.line_items,
      };
    },

    async set_catalog_label({ caller, params, body }) {
      await assertOperator(deps, caller, 'Names of models');
      return setCatalogLabel(deps, params.catalog_id, body, caller);
    },

    async delete_catalog_label({ caller, params }) {
      await assertOperator(deps, caller, 'Names of models');
      await deleteCatalogLabel(deps, params.catalog_id, caller);
    },

    ...providerRoutes(deps),
  } satisfies Handlers;
};

/** Decision: Providers */
function providerRoutes(deps: Deps) {
  const countCheck = createCheckLimit(deps);
  return {
    async list_provider_presets({ caller }) {
      await assertOperator(deps, caller);
      return completeList(await listPresets(deps));
    },
    async list_providers({ caller }) {
      await assertOperator(deps, caller);
      return completeList(await listProviders(deps));
    },
    async test_provider_key({ caller, body, signal }) {
      await assertOperator(deps, caller);
      await countCheck(caller);
      return testProviderKey(deps, body, signal);
    },
    async connect_provider({ caller, body, signal }) {
      await assertOperator(deps, caller);
      await countCheck(caller);
      return connectProvider(deps, caller, body, signal);
    },
    async get_provider({ caller, params }) {
      await assertOperator(deps, caller);
      return readProvider(deps, params.provider_id);
    },
    async update_provider({ caller, params, body }) {
      await assertOperator(deps, caller);
      return updateProvider(deps, caller, params.provider_id, body);
    },
    async rotate_provider_key({ caller, params, body, signal }) {
      await assertOperator(deps, caller);
      await countCheck(caller);
      return rotateProviderKey(deps, caller, params.provider_id, body.key, signal);
    },
    async set_billing_key({ caller, params, body, signal }) {
      await assertOperator(deps, caller);
      await countCheck(caller);
      return setBillingKey(deps, caller, params.provider_id, body.key, signal);
    },
    async remove_billing_key({ caller, params }) {
      await assertOperator(deps, caller);
      await removeBillingKey(deps, caller, params.provider_id);
    },
    async test_provider({ caller, params, signal }) {
      await assertOperator(deps, caller);
      await countCheck(caller);
      return testProvider(deps, params.provider_id, signal);
    },
    async list_provider_jobs({ caller, params }) {
      await assertOperator(deps, caller);
      const { id } = await readProvider(deps, params.provider_id);
      return completeList(await listProviderJobs(deps.db, caller.organization_id, id));
    },
    async disconnect_provider({ caller, params }) {
      await assertOperator(deps, caller);
      await removeProvider(deps, caller, params.provider_id);
    },
  } satisfies Handlers;
}
