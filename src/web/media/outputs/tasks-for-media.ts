import { inputContract, modelsForTask, TASKS } from '#contract/catalog.ts';
import { TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';

function mediaRequirement(task: TaskId, media: MediaKind): 'required' | 'optional' | null {
  const models = modelsForTask(task);
  const contracts = (models.length > 0 ? models : [null]).flatMap((model) => inputContract(task, model) ?? []);
  const fields = contracts
    .flatMap(({ fields: all }) => all)
    .filter((field) => 'media' in field && field.media === media);
  if (fields.length === 0) return null;
  return fields.some((field) => 'required' in field && field.required) ? 'required' : 'optional';
}

/** Tasks that accept a kind of media, those that require it first. */
export function tasksForMedia(media: MediaKind): { task: TaskId; name: string }[] {
  const uses = TASK_IDS.map((task) => ({ task, name: TASKS[task].name, requirement: mediaRequirement(task, media) }));
  return [
    ...uses.filter((use) => use.requirement === 'required'),
    ...uses.filter((use) => use.requirement === 'optional'),
  ];
}
