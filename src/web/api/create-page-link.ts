import { linkOptions } from '@tanstack/react-router';
import type { AnyModelId, TaskId } from '#contract/ids.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The person asked for it, at the price that was shown. Unlike the address, nobody else can set it. */
    starts_at_once?: true;
    /** Closing what the address opens goes back to the page that it was opened from. */
    closesBack?: true;
  }
}

/**
 * Links to a form of Create. The model is named even where there is none, because the router inherits a missing
 * optional parameter from the current address.
 */
export const createPageLink = (task?: TaskId | null, model?: AnyModelId | null) =>
  linkOptions({ to: '/create/{-$task}/{-$model}', params: { task: task ?? undefined, model: model ?? undefined } });
