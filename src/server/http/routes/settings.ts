import type { Deps } from '#server/platform/deps.ts';
import { readSettings, updateSettings } from '#server/accounts/people/settings.ts';
import type { Handlers } from '#server/http/handler.ts';

export const settingsRoutes = (deps: Deps) =>
  ({
    get_settings: ({ caller }) => readSettings(deps, caller),
    update_settings: ({ caller, body }) => updateSettings(deps, caller, body),
  }) satisfies Handlers;
