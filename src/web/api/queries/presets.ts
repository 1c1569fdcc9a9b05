import { useQuery } from '@tanstack/react-query';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { TaskId } from '#contract/ids.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { apiMutation, apiPages, apiQuery, invalidate, SEND_ONCE } from '../api-query.ts';
import { useSession } from '../session/session.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { meQuery } from './me.ts';

const PAGE_SIZE = 20;
const RECENT_PROMPTS = 30;
/** Longer than the service waits for the text model. */
const IMPROVE_DEADLINE_MS = 30_000;

/** One's own presets and the shared ones, page by page. */
export const presetsQuery = (task: TaskId | undefined) =>
  apiPages('list_presets', { query: { limit: PAGE_SIZE, ...(task ? { task } : {}) } }, { staleTime: 10_000 });

/** A preset with its input. Its links to media are new, so it is read again each time. */
export const presetQuery = (id: string) =>
  apiQuery('get_preset', { params: { preset_id: id } }, { staleTime: 0, gcTime: 0 });

/** Saves a form. A request without a response is sent again with its idempotency key. */
export const useCreatePreset = apiMutation(
  (body: BodyInput<'create_preset'>) => api.call('create_preset', { body, idempotency_key: newIdempotencyKey() }),
  { stale: ['list_presets', 'get_preset'] },
);

export const useUpdatePreset = apiMutation(
  ({ id, ...body }: BodyInput<'update_preset'> & { id: string }) =>
    api.call('update_preset', { params: { preset_id: id }, body }),
  { stale: ['list_presets', 'get_preset'] },
);

export const useDeletePreset = apiMutation((id: string) => api.call('delete_preset', { params: { preset_id: id } }), {
  stale: ['list_presets', 'get_preset'],
});

/** One's own latest prompts, each once. */
export const recentPromptsQuery = apiQuery(
  'list_recent_prompts',
  { query: { limit: RECENT_PROMPTS } },
  { read: ({ data }) => data, staleTime: 30_000 },
);

/** Whether the session may improve prompts, and what one costs; null: no text model is connected, or not known yet. */
export function useImprovement() {
  const enabled = useSession() === 'signed_in';
  return useQuery({ ...meQuery, enabled }).data?.improve_prompt ?? null;
}

/** Improves a prompt. It is never sent again by itself, because each call costs something. */
export const useImprovePrompt = apiMutation(
  ({ signal, ...body }: BodyInput<'improve_prompt'> & { signal: AbortSignal }) =>
    api.call('improve_prompt', { body, signal, deadlineMs: IMPROVE_DEADLINE_MS }),
  {
    ...SEND_ONCE,
    onError: (error, _request, _result, { client }) => {
      // The text model may have been disconnected: then the button goes.
      if (error instanceof ApiError && error.code === 'model_unavailable') void invalidate(client, 'get_me');
    },
  },
);
