import type { Deps } from '#server/platform/deps.ts';
import { createCheckLimit } from '#server/models/connections/check-limit.ts';
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
import type { Handlers } from '#server/http/handler.ts';

const completeList = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false, next_cursor: null });

/** Decision: Providers */
export function providerRoutes(deps: Deps) {
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
      return undefined;
    },
  } satisfies Handlers;
}
