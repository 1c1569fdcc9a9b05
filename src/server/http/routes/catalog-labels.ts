import { deleteCatalogLabel, setCatalogLabel } from '#server/models/catalog/catalog-labels.ts';
import type { Deps } from '#server/platform/deps.ts';
import { assertOperator } from '#server/models/connections/manage-providers.ts';
import type { Handlers } from '#server/http/handler.ts';

/** Decision: Tasks and models */
export const catalogLabelRoutes = (deps: Deps) =>
  ({
    async set_catalog_label({ caller, params, body }) {
      await assertOperator(deps, caller, 'Names of models');
      return setCatalogLabel(deps, params.catalog_id, body, caller);
    },
    async delete_catalog_label({ caller, params }) {
      await assertOperator(deps, caller, 'Names of models');
      await deleteCatalogLabel(deps, params.catalog_id, caller);
      return undefined;
    },
  }) satisfies Handlers;
