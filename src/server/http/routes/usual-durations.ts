import type { Deps } from '#server/deps.ts';
import { createUsualDurations } from '#server/generations/usual-durations.ts';
import type { Handlers } from '../handler.ts';

/** Decision: Usual durations */
export const usualDurationRoutes = (deps: Pick<Deps, 'db' | 'clock'>) => {
  const readDurations = createUsualDurations(deps);
  return {
    list_usual_durations: async ({ caller }) => ({
      object: 'list',
      data: await readDurations(caller.organization_id),
      has_more: false,
      next_cursor: null,
    }),
  } satisfies Handlers;
};
