import { createAtom } from '@tanstack/react-store';
import type { BudgetExceeded } from '#contract/api/errors.ts';
import type { GenerationRequest } from '#web/api/queries/generations.ts';
import { onSessionChange } from '#web/api/session/session.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

/** A submitted request and its outcome. This tab stores it as JSON, so its property names are a file format. */
export interface Run {
  /** Equals the idempotency key of the request, unless it was sent together with others. */
  id: string;
  order: GenerationRequest;
  startedAtMs: number;
  /** null until the service has accepted the request. */
  generation_id: string | null;
  problem: RunProblem | null;
  /** The generation that it retries. */
  retry_of?: string;
  /** The request for an approval that it waits for. */
  request_id?: string;
  /** Shared by runs that were started side by side. */
  group?: string;
  /** The group was sent as one request: all of its runs start, or none. */
  together?: true;
  /** The batch of a group that was sent together, once the service has accepted it. */
  batch_id?: string;
}

export interface RunProblem {
  code: string;
  message: string;
  /** The service may have accepted the request: a retry uses the same key. */
  unsure: boolean;
  budget?: BudgetExceeded;
}

const MAX_RUNS = 64;
const storedRuns = createTabStorage<Run>('emulsion.runs', MAX_RUNS);
const restoredRuns: readonly Run[] = storedRuns.values().map(restoreRun);

export interface RunState {
  /** Runs of this tab, oldest first. */
  runs: readonly Run[];
  /** Opened from the feed; not stored. */
  viewed: readonly Run[];
  openId: string | null;
}

export const runStore = createAtom<RunState>({
  runs: restoredRuns,
  viewed: [],
  openId: restoredRuns.at(-1)?.id ?? null,
});

/** Restores a run whose request had no response when the page was closed. */
function restoreRun(run: Run): Run {
  if (run.generation_id || run.problem || run.request_id) return run;
  const message = 'The page was closed before the service responded.';
  return { ...run, problem: { code: 'unsure', message, unsure: true } };
}

export function addRun(run: Run): void {
  storedRuns.set(run.id, run);
  runStore.set((state) => ({ ...state, runs: [...state.runs, run].slice(-MAX_RUNS), openId: run.id }));
}

export function updateRun(id: string, change: Partial<Run>): void {
  const state = runStore.get();
  const next = state.runs.map((run) => (run.id === id ? { ...run, ...change } : run));
  const changed = next.find((run) => run.id === id);
  if (!changed) return;
  storedRuns.replace(id, changed);
  runStore.set({ ...state, runs: next });
}

export function removeRun(id: string): void {
  storedRuns.delete(id);
  runStore.set(({ runs, openId, ...state }) => ({
    ...state,
    runs: runs.filter((run) => run.id !== id),
    openId: openId === id ? null : openId,
  }));
}

onSessionChange((state) => {
  // Another person may sign in on this tab.
  if (state === 'signed_out') runStore.set({ runs: [], viewed: [], openId: null });
});
