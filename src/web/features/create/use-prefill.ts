import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { inputContract } from '#contract/catalog.ts';
import { prefillFromGeneration, prefillFromMedia } from './prefill.ts';
import type { CreateSearch } from './create-search.ts';
import type { CreateTarget, SwitchSummary } from './switch-model.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { MediaDetail } from '#contract/resources/media.ts';
import { readDraft, writeDraft } from '#web/forms/drafts.ts';
import { readReferences } from '#web/forms/form-values.ts';
import { cacheServiceOrigin, cacheMediaInfo } from '#web/api/reference-info.ts';
import { readPosts } from '#web/media/outputs/read-output-data.ts';
import { chosenMediaQuery } from '#web/api/queries/media-detail.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { showToast } from '#web/ui/toast-store.ts';

export interface PrefillState {
  state: 'none' | 'loading' | 'failed';
  error: unknown;
  retry: () => void;
}

/**
 * Prefills the form from the search parameters once, then removes them from the URL, so that a reload keeps later edits.
 * @param target null if the URL names no task; then the generation decides
 * @param previous the form that was open before
 */
export function usePrefill(
  { from, use, asset = 0, post, media }: CreateSearch,
  target: CreateTarget | null,
  previous: CreateTarget | null,
  signed_in: boolean,
  onPrefilled: (summary: SwitchSummary | null) => void,
): PrefillState {
  const navigate = useNavigate();
  const id = from ?? use;
  const generation = useQuery({ ...generationQuery(id ?? ''), enabled: id !== undefined && signed_in });
  const mediaList = useQuery({
    ...chosenMediaQuery(media?.split(',') ?? []),
    enabled: media !== undefined && signed_in,
  });

  const prefill = useEffectEvent((source: { generation: Generation } | { media: readonly MediaDetail[] }) => {
    const to =
      target ?? ('generation' in source ? { task: source.generation.task, model: source.generation.model } : null);
    if (!to) return;
    const contract = inputContract(to.task, to.model);
    const draft = contract && readDraft(to.task, to.model, contract);
    const outputs = 'media' in source ? source.media : selectedOutputs(source.generation, asset, post);
    const prompt = 'generation' in source ? promptText(source.generation) : null;
    for (const output of outputs) if ('id' in output) cacheMediaInfo(output, prompt);
    const prefilled =
      'generation' in source && from
        ? prefillFromGeneration(source.generation, target)
        : prefillFromMedia(to, outputs, draft);
    if (prefilled) writeDraft(prefilled.task, prefilled.model, prefilled.values);
    else showToast({ title: 'Nothing to reuse', detail: 'This form accepts none of it.' });
    onPrefilled(
      prefilled && {
        title: prefilled.title,
        kept: [],
        changed: prefilled.changed,
        dropped: prefilled.dropped,
        undo: previous || draft ? { to: previous ?? to, draft: { ...to, values: draft } } : null,
        target: to,
      },
    );
    void navigate({ ...createPageLink(to.task, to.model), search: {}, replace: true });
  });
  useEffect(() => {
    if (id && generation.data) prefill({ generation: generation.data });
  }, [id, generation.data]);
  const has_target = target !== null;
  useEffect(() => {
    if (media && mediaList.data && has_target) prefill({ media: mediaList.data });
  }, [media, mediaList.data, has_target]);

  const { error, isError, refetch } = media === undefined ? generation : mediaList;
  return {
    state: (id ?? media) === undefined ? 'none' : isError || !signed_in ? 'failed' : 'loading',
    error,
    retry: () => void refetch(),
  };
}

const promptText = ({ input }: Generation) => (typeof input['prompt'] === 'string' ? input['prompt'] : null);

function selectedOutputs({ input, output }: Generation, asset: number, post: number | undefined) {
  for (const value of Object.values(input)) for (const { url } of readReferences(value)) cacheServiceOrigin(url);
  if (post === undefined) return output.assets.slice(asset, asset + 1);
  const cover_url = readPosts(output.data)[post]?.cover_url;
  return cover_url ? [{ type: 'image' as const, url: cover_url }] : [];
}
