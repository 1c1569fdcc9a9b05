import { estimate } from '#contract/estimate.ts';
import { MODEL_IDS, TASK_IDS } from '#contract/ids.ts';
import { formatUsd } from '#contract/money.ts';
import { presentPrices } from '#contract/pricing.ts';
import { describeModel } from '#server/models/catalog/describe-model.ts';
import { describeTask } from '#server/models/catalog/describe-task.ts';
import { readLinkedMediaLengths } from '#server/studio/assets/linked-media-lengths.ts';
import { insecureOrigin } from '#server/platform/core/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findEngineKind, isTaskAvailable, missingToolsMessage } from '#server/models/catalog/availability.ts';
import { validateRequest } from '#server/models/catalog/validate-request.ts';
import { assertMediaRules } from '#server/studio/generations/price-request.ts';
import type { Handlers } from '#server/http/handler.ts';

const completeList = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false, next_cursor: null });

/** Spec: Catalog: models and tasks, Published prices */
export const catalogRoutes = (deps: Deps) =>
  ({
    list_tasks: async () =>
      completeList(
        TASK_IDS.map((id) => {
          const engine = findEngineKind(deps, id, null);
          const display = deps.offering.current().labels.get(id);
          const unavailable_reason = missingToolsMessage(deps, id);
          return {
            ...describeTask(id),
            available: isTaskAvailable(deps, id),
            ...(unavailable_reason === null ? {} : { unavailable_reason }),
            ...(engine ? { engine } : {}),
            ...(display ? { display } : {}),
          };
        }),
      ),

    list_models: async () => completeList(MODEL_IDS.map((id) => describeModel(deps, id))),

    get_pricing: async () => ({
      object: 'pricing',
      currency: 'usd',
      data: presentPrices(deps.offering.current().prices),
    }),

    async create_estimate({ body }) {
      const request = validateRequest(deps, insecureOrigin(deps.config), body);
      const { task, model } = request;
      assertMediaRules(request, [], new Map());
      const lengths = await readLinkedMediaLengths(deps, request);
      const priced = estimate(deps.offering.current().prices, task, model, request.input, lengths);
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
  }) satisfies Handlers;
