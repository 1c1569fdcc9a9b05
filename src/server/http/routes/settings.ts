import type { Deps } from '#server/deps.ts';
import { readSettings, updateSettings } from '#server/people/settings.ts';
import type { Handlers } from '../handler.ts';

export const settingsRoutes = (deps: Pick<Deps, 'db' | 'clock' | 'queue'>) =>
  ({
    get_settings: ({ caller }) => readSettings(deps, caller),
    update_settings: ({ caller, body }) => updateSettings(deps, caller, body),
  }) satisfies Handlers;
