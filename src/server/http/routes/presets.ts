import type { Deps } from '#server/platform/deps.ts';
import { createIdempotentRequest } from '#server/accounts/idempotency/idempotent-request.ts';
import { createPreset, deletePreset, updatePreset } from '#server/studio/prompts/change-presets.ts';
import { createPromptImprover } from '#server/studio/prompts/improve/improve-prompt.ts';
import { listPresets, readPreset } from '#server/studio/prompts/read-presets.ts';
import { listRecentPrompts } from '#server/studio/prompts/recent-prompts.ts';
import { type Handlers, toReply } from '#server/http/handler.ts';

/** Decision: Presets */
export function presetRoutes(deps: Deps) {
  const improvePrompt = createPromptImprover(deps);
  return {
    list_presets: ({ caller, query }) => listPresets(deps, caller, query),
    async create_preset({ caller, body, raw_body, idempotency_key }) {
      const idempotent_request = createIdempotentRequest(caller, idempotency_key, '/v1/presets', raw_body);
      return toReply(await createPreset(deps, caller, body, idempotent_request));
    },
    get_preset: ({ caller, params }) => readPreset(deps, caller, params.preset_id),
    update_preset: ({ caller, params, body }) => updatePreset(deps, caller, params.preset_id, body),
    async delete_preset({ caller, params }) {
      await deletePreset(deps, caller, params.preset_id);
      return undefined;
    },
    list_recent_prompts: ({ caller, query }) => listRecentPrompts(deps.db, caller, query),
    improve_prompt: ({ caller, body, signal }) => improvePrompt(caller, body, signal),
  } satisfies Handlers;
}
