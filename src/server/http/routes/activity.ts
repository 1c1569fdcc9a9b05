import type { Deps } from '#server/platform/deps.ts';
import { readActiveGenerations } from '#server/studio/generations/read-activity.ts';
import { createUsualDurations } from '#server/studio/generations/usual-durations.ts';
import { listActiveRuns } from '#server/studio/workflows/runs/list-active-runs.ts';
import type { Handlers } from '#server/http/handler.ts';

/** Decision: Activity, Usual durations */
export const activityRoutes = (deps: Deps) => {
  const readDurations = createUsualDurations(deps);
  return {
    async get_activity({ caller }) {
      const work = await readActiveGenerations(deps, caller, await readDurations(caller.organization_id));
      const workflow_runs = await listActiveRuns(deps, caller);
      const countRuns = (status: 'queued' | 'running') => workflow_runs.filter((run) => run.status === status).length;
      return {
        object: 'activity',
        ...work,
        running: work.running + countRuns('running'),
        queued: work.queued + countRuns('queued'),
        // How long a workflow run takes is unknown until its steps exist.
        seconds_left: workflow_runs.length > 0 ? null : work.seconds_left,
        workflow_runs,
      };
    },

    list_usual_durations: async ({ caller }) => ({
      object: 'list',
      data: await readDurations(caller.organization_id),
      has_more: false,
      next_cursor: null,
    }),
  } satisfies Handlers;
};
