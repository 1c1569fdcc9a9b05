import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import {
  cacheGeneration,
  createGeneration,
  generationQuery,
  type GenerationRequest,
} from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/display/empty-state.tsx';
import type { CreateSearch } from '#web/features/create/create-search.ts';
import { PrefillProgress, SkipLink } from './prefill-progress.tsx';
import type { CreateTarget } from '#web/features/create/models/switch-model.ts';

/** The end of a clip is rounded to milliseconds, and a time after it has no frame. */
const BEFORE_END_SECONDS = 0.002;

function lastFrameInput(clip: Pick<Asset, 'type' | 'url' | 'duration_seconds'> | undefined) {
  if (clip?.type !== 'video') throw new Error('This clip no longer exists.');
  const timestampSeconds = Math.max(0, (clip.duration_seconds ?? 0) - BEFORE_END_SECONDS);
  return { video: { url: clip.url }, timestamp_seconds: timestampSeconds, format: 'png' };
}

/** Saves the last frame of a clip, then continues with its generation. The form's draft stays as it is until that is done. */
export function SaveLastFrame({ search, target }: { search: CreateSearch; target: CreateTarget | null }) {
  const { use, asset = 0, media, fields } = search;
  const client = useQueryClient();
  const navigate = useNavigate();
  const isAsked = useLocation().state.starts_at_once === true;
  // A request without a response is repeated as it was, so that it saves one frame.
  const request = useRef<GenerationRequest>(null);
  const loadClip = async () =>
    use
      ? (await client.fetchQuery(generationQuery(use))).output.assets[asset]
      : client.fetchQuery(mediaQuery(media?.split(',')[0] ?? ''));
  const save = useMutation({
    networkMode: 'always',
    mutationFn: async (): Promise<Generation> => {
      request.current ??= {
        body: { ...tagMetadata(), task: 'video.extract_frame', input: lastFrameInput(await loadClip()) },
        idempotency_key: newIdempotencyKey(),
      };
      return createGeneration(request.current);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status < 500) request.current = null;
    },
    onSuccess: (frame) => {
      cacheGeneration(client, frame);
      void navigate({
        ...createPageLink(target?.task, target?.model),
        search: { use: frame.id, ...(fields ? { fields } : {}) },
        replace: true,
      });
    },
  });
  const isStarted = useRef(false);
  const start = useEffectEvent(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    save.mutate();
  });
  useEffect(() => {
    if (isAsked) start();
  }, [isAsked]);

  if (save.isError)
    return (
      <ErrorState
        title="The last frame could not be saved"
        offline={save.error instanceof NetworkError}
        actions={
          <>
            <Button onClick={() => save.mutate()}>Try again</Button>
            <SkipLink />
          </>
        }
      >
        {save.error.message} The clip and your draft are still here.
      </ErrorState>
    );
  if (isAsked || save.isPending || save.isSuccess)
    return <PrefillProgress label="Saving the last frame…" value={null} />;
  return (
    <EmptyState
      title="Continue from the last frame?"
      actions={
        <>
          <Button variant="primary" onClick={() => save.mutate()}>
            Save the last frame
          </Button>
          <SkipLink />
        </>
      }
    >
      The last frame of the clip is saved as an image, free of charge, and becomes the start frame of a new clip.
    </EmptyState>
  );
}
