import type { TaskId } from '#contract/ids.ts';

const storage_name = 'emulsion.models';

function readAll(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(storage_name) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

/** The model used last for a task on this device; undefined where none was. */
export const lastModel = (task: TaskId): string | undefined => readAll()[task];

export function rememberModel(task: TaskId, model: string): void {
  try {
    localStorage.setItem(storage_name, JSON.stringify({ ...readAll(), [task]: model }));
  } catch {
    // Storage is forbidden here: the first model is offered again next time.
  }
}
