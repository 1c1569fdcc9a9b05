import { linkOptions } from '@tanstack/react-router';
import type { ModelId, TaskId } from '#contract/ids.ts';

/**
 * The address of a form. It names the model even where there is none: an optional part that a link leaves out is
 * inherited from the present address.
 */
export const createPageLink = (task?: TaskId | null, model?: ModelId | null) =>
  linkOptions({ to: '/create/{-$task}/{-$model}', params: { task: task ?? undefined, model: model ?? undefined } });
