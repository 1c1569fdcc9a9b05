import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { useSession } from '../session/session.ts';
import { meQuery } from './me.ts';
import { queryKeys } from './query-keys.ts';

/** Longer than the service waits for the text model. */
const DEADLINE_MS = 30_000;

/** Whether the session may improve prompts, and what one costs; null: no text model is connected, or not known yet. */
export function useImprovement() {
  const enabled = useSession() === 'signed_in';
  return useQuery({ ...meQuery, enabled }).data?.improve_prompt ?? null;
}

/** Improves a prompt. It is never sent again by itself, because each call costs something. */
export function useImprovePrompt() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ signal, ...body }: BodyInput<'improve_prompt'> & { signal: AbortSignal }) =>
      api.call('improve_prompt', { body, signal, deadline_ms: DEADLINE_MS }),
    retry: false,
    networkMode: 'always',
    gcTime: 0,
    onError: (error) => {
      // The text model may have been disconnected: then the button goes.
      if (error instanceof ApiError && error.code === 'model_unavailable')
        void client.invalidateQueries({ queryKey: queryKeys.me });
    },
  });
}
