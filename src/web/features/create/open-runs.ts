import type { Run, RunState } from './runs.ts';
import { runStore } from './runs.ts';

/** The open run with the others of its group; empty if none is open. */
export function findOpenRuns({ runs, viewed, openId }: RunState): readonly Run[] {
  const all = [...runs, ...viewed];
  const open = all.find(({ id }) => id === openId);
  if (!open) return [];
  return open.group === undefined ? [open] : all.filter(({ group }) => group === open.group);
}

/** Opens runs of this tab, or those of other generations. Several share a group. */
export function openRuns(opened: readonly Run[]): void {
  runStore.set(({ runs }) => ({
    runs,
    viewed: opened.filter(({ id }) => !runs.some((run) => run.id === id)),
    openId: opened[0]?.id ?? null,
  }));
}

export const closeRuns = (): void => openRuns([]);
