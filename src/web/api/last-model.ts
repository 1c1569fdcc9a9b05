import type { TaskId } from '#contract/ids.ts';

const STORAGE_KEY = 'emulsion.models';
const LAST_TASK = '';

/** The models of each task, the last one first, separated by commas; under `LAST_TASK` the task that was open last. */
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

export const readLastModels = (task: TaskId): readonly string[] => readStored()[task]?.split(',') ?? [];
export const readLastModel = (task: TaskId): string | undefined => readLastModels(task)[0];
export const saveLastModel = (task: TaskId, model: string): void =>
  store(task, [...new Set([model, ...readLastModels(task)])].join(','));

export const readLastTask = (): string | undefined => readStored()[LAST_TASK];
export const saveLastTask = (task: TaskId): void => store(LAST_TASK, task);
