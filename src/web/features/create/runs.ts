import { createAtom, useSelector } from '@tanstack/react-store';
import type { BudgetExceeded } from '#contract/errors.ts';
import type { GenerationRequest } from '#web/api/queries/generations.ts';
import { onSessionChange } from '#web/api/session/session.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

/** One press of the button: an order, and what became of it. Kept for this tab, over reloads. */
export interface Run {
  /** The order's idempotency key, too. */
  id: string;
  order: GenerationRequest;
  started_at_ms: number;
  /** Once the service took it. */
  generation_id: string | null;
  problem: RunProblem | null;
  /** Names the press that started several at once, side by side. */
  group?: string;
}

export interface RunProblem {
  code: string;
  message: string;
  /** Whether the service may have taken the order all the same: it is then sent again under the same key. */
  unsure: boolean;
  /** The budget that refused the order. */
  budget?: BudgetExceeded;
}

const MAX_RUNS = 30;
const storedRuns = createTabStorage<Run>('emulsion.runs', MAX_RUNS);
const restoredRuns: readonly Run[] = storedRuns.values().map(restoreRun);
const runStore = createAtom({ runs: restoredRuns, openId: restoredRuns.at(-1)?.id ?? null });

/** An order that was on its way when the page went away. */
function restoreRun(run: Run): Run {
  if (run.generation_id || run.problem) return run;
  const message = 'The page was closed before the service answered. Trying again will not start it twice.';
  return { ...run, problem: { code: 'unsure', message, unsure: true } };
}

export const useRuns = (): readonly Run[] => useSelector(runStore, ({ runs }) => runs);

/** The run that is looked at; null for none. */
export const useOpenRun = (): Run | null =>
  useSelector(runStore, ({ runs, openId }) => runs.find(({ id }) => id === openId) ?? null);

/** Adds a run at the end, and looks at it. */
export function addRun(run: Run): void {
  storedRuns.set(run.id, run);
  runStore.set(({ runs }) => ({ runs: [...runs, run].slice(-MAX_RUNS), openId: run.id }));
}

export function updateRun(id: string, change: Partial<Run>): void {
  const { runs, openId } = runStore.get();
  const next = runs.map((run) => (run.id === id ? { ...run, ...change } : run));
  const changed = next.find((run) => run.id === id);
  if (!changed) return;
  storedRuns.replace(id, changed);
  runStore.set({ runs: next, openId });
}

export function removeRun(id: string): void {
  storedRuns.delete(id);
  const { runs, openId } = runStore.get();
  const at = runs.findIndex((run) => run.id === id);
  const rest = runs.filter((run) => run.id !== id);
  const neighbor = rest[Math.min(at, rest.length - 1)];
  runStore.set({ runs: rest, openId: openId === id ? (neighbor?.id ?? null) : openId });
}

export function openRun(id: string): void {
  runStore.set(({ runs }) => ({ runs, openId: id }));
}

onSessionChange((state) => {
  // What was made belongs to whoever made it.
  if (state === 'signed_out') runStore.set({ runs: [], openId: null });
});
