import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import { ApiError } from '#web/api/api-errors.ts';
import {
  cacheGeneration,
  createGeneration,
  generationQuery,
  type GenerationRequest,
} from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';

/** Changes a picture with the free tool and waits for the new one. The old one stays whatever happens. */
export function useTransform(onDone: (file: Asset) => void) {
  const client = useQueryClient();
  // A request without a response is repeated as it was, so that it makes one picture.
  const unanswered = useRef<GenerationRequest>(null);
  const create = useMutation({
    mutationFn: createGeneration,
    networkMode: 'always',
    onSuccess: (generation) => {
      unanswered.current = null;
      cacheGeneration(client, generation);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status < 500) unanswered.current = null;
    },
  });
  const { data: generation = create.data } = useQuery({
    ...generationQuery(create.data?.id ?? ''),
    enabled: create.data !== undefined,
  });
  const [file] = generation?.status === 'succeeded' ? generation.output.assets : [];
  const finish = useEffectEvent((made: Asset) => {
    cacheMediaInfo(made);
    onDone(made);
  });
  useEffect(() => {
    if (file) finish(file);
  }, [file]);
  const isStopped = generation !== undefined && !isActive(generation.status) && !file;
  return {
    start: (input: Readonly<Record<string, unknown>>) => {
      const last = unanswered.current;
      const isSame = last !== null && JSON.stringify(last.body.input) === JSON.stringify(input);
      unanswered.current = isSame
        ? last
        : { body: { ...tagMetadata(), task: 'image.transform', input }, idempotency_key: newIdempotencyKey() };
      create.mutate(unanswered.current);
    },
    isBusy: create.isPending || (generation !== undefined && isActive(generation.status)),
    problem:
      create.error?.message ?? (isStopped ? (generation.error?.message ?? 'The new picture was not made.') : null),
  };
}
