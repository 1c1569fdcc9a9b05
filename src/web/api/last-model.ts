import type { TaskId } from '#contract/ids.ts';

const STORAGE_KEY = 'emulsion.models';
const LAST_TASK = '';

/** The model of each task, and under `LAST_TASK` the task that was open last. */
function readStored(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readStored(), [name]: value }));
  } catch {
    // Without storage, the first task and model stay the default.
  }
}

export const readLastModel = (task: TaskId): string | undefined => readStored()[task];
export const saveLastModel = (task: TaskId, model: string): void => store(task, model);

export const readLastTask = (): string | undefined => readStored()[LAST_TASK];
export const saveLastTask = (task: TaskId): void => store(LAST_TASK, task);
