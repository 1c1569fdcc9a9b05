import type { TaskId } from '#contract/ids.ts';

const STORAGE_KEY = 'emulsion.models';
const TASK_KEY = 'emulsion.task';

function readStoredModels(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

/** The task that was open last. */
export function readLastTask(): string | undefined {
  try {
    return localStorage.getItem(TASK_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function saveLastTask(task: TaskId): void {
  try {
    localStorage.setItem(TASK_KEY, task);
  } catch {
    // Without storage, the first task stays the default.
  }
}

export const readLastModel = (task: TaskId): string | undefined => readStoredModels()[task];

export function saveLastModel(task: TaskId, model: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readStoredModels(), [task]: model }));
  } catch {
    // Without storage, the first model stays the default.
  }
}
