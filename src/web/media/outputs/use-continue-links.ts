import { useQuery } from '@tanstack/react-query';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';
import { readLastModel } from '#web/api/last-model.ts';
import { useModelName } from '#web/api/model-names.ts';
import { findSlotTarget, type SlotTarget } from '#web/api/model-slots.ts';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';
import { hasToolModels } from './tool-steps.ts';
import { useCanTransform } from './use-can-transform.ts';
import { useWatchedPosition } from '#web/media/player/watched-position.ts';
import { CONTINUE_STEPS, type ContinueStep, otherTasks, tasksForMedia } from './continue-steps.ts';

interface OutputSource {
  generationId: string;
  which: { asset: number; mediaId: string } | { post: number };
}

export type ContinueSource = OutputSource | { mediaIds: readonly string[] };

const MAX_MEDIA = 16;

export interface SourceSearch {
  media?: string;
  use?: string;
  asset?: number;
  post?: number;
  at?: number;
}

/** The one file that the crop dialog can open, and the one that models may work on; undefined: there is none. */
export function useFileSteps(type: MediaKind, source: ContinueSource): Record<'crop' | 'tools', string | undefined> {
  const canTransform = useCanTransform();
  useQuery(modelsQuery);
  const mediaId = singleMediaId(source);
  return {
    crop: type === 'image' && canTransform ? mediaId : undefined,
    tools: (type === 'image' && canTransform) || hasToolModels(type) ? mediaId : undefined,
  };
}

const singleMediaId = (source: ContinueSource): string | undefined => {
  if ('mediaIds' in source) return source.mediaIds.length === 1 ? source.mediaIds[0] : undefined;
  return 'mediaId' in source.which ? source.which.mediaId : undefined;
};

/** Search parameters of Create that name the media, and the position at which a clip was last seen. */
export function useSourceSearch(source: ContinueSource): SourceSearch {
  const at = useWatchedPosition(singleMediaId(source));
  const position = at > 0 ? { at } : {};
  if ('mediaIds' in source) return { media: source.mediaIds.slice(0, MAX_MEDIA).join(), ...position };
  const { generationId: use, which } = source;
  return 'post' in which ? { use, post: which.post } : { use, asset: which.asset, ...position };
}

export interface ContinueLink extends SlotTarget {
  step: ContinueStep;
  /** null for a task without models. */
  modelName: string | null;
  search: { fields: string; frame?: 'last' };
  state: { starts_at_once?: true };
}

/** The next steps for a kind of media with the model that each of them chooses, and the other tasks that take it. */
export function useContinueLinks(type: MediaKind, count: number): { links: ContinueLink[]; others: TaskId[] } {
  const { data: tasks } = useQuery(tasksQuery);
  const { data: models } = useQuery(modelsQuery);
  const nameModel = useModelName();
  const isAvailable = (task: TaskId) => tasks?.some(({ id, available }) => id === task && available) ?? true;
  // Several media at once fit only the fields that a task fills by itself.
  if (count !== 1) return { links: [], others: tasksForMedia(type).filter(isAvailable) };
  const links = CONTINUE_STEPS[type].flatMap((step: ContinueStep): ContinueLink[] => {
    const target = findSlotTarget(step.slots, { tasks, models }, readLastModel);
    if (!target || (step.fromLastFrame && !isAvailable('video.extract_frame'))) return [];
    const fields = step.withPrompt ? `${target.field},prompt` : target.field;
    const modelName = target.model && nameModel(target.model);
    const state = step.fromLastFrame || step.startsAtOnce ? ({ starts_at_once: true } as const) : {};
    const frame = step.fromLastFrame ? ({ frame: 'last' } as const) : {};
    return [{ ...target, step, modelName, search: { fields, ...frame }, state }];
  });
  return { links, others: otherTasks(type).filter(isAvailable) };
}
