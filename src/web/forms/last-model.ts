import type { TaskId } from '#contract/ids.ts';

const STORAGE_KEY = 'emulsion.models';

function readStoredModels(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, string>;
  } catch {
    return {};
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
