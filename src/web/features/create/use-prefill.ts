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
 * Fills the form in as the address asks, once, and then takes the wish out of the address, so that a reload keeps what was
 * typed since.
 * @param named the place that the address names, null where it leaves that to the generation
 * @param previous the form that was open before; null where there was none
 * @param onFilled gets what to say about it
 */
export function usePrefill(
  { from, use, asset = 0, post, media }: CreateSearch,
  named: CreateTarget | null,
  previous: CreateTarget | null,
  signed_in: boolean,
  onFilled: (note: SwitchSummary | null) => void,
): PrefillState {
  const navigate = useNavigate();
  const id = from ?? use;
  const earlier = useQuery({ ...generationQuery(id ?? ''), enabled: id !== undefined && signed_in });
  const chosen = useQuery({ ...chosenMediaQuery(media?.split(',') ?? []), enabled: media !== undefined && signed_in });

  const fill = useEffectEvent((wish: { earlier: Generation } | { media: readonly MediaDetail[] }) => {
    const place = named ?? ('earlier' in wish ? { task: wish.earlier.task, model: wish.earlier.model } : null);
    if (!place) return;
    const contract = inputContract(place.task, place.model);
    const before = contract && readDraft(place.task, place.model, contract);
    const outputs = 'media' in wish ? wish.media : selectedOutputs(wish.earlier, asset, post);
    const prompt = 'earlier' in wish ? promptText(wish.earlier) : null;
    for (const output of outputs) if ('id' in output) cacheMediaInfo(output, prompt);
    const filled =
      'earlier' in wish && from ? prefillFromGeneration(wish.earlier, named) : prefillFromMedia(place, outputs, before);
    if (filled) writeDraft(filled.task, filled.model, filled.values);
    else showToast({ title: 'Nothing to reuse', detail: 'This form takes none of it.' });
    onFilled(
      filled && {
        title: filled.title,
        kept: [],
        changed: filled.changed,
        dropped: filled.dropped,
        undo: previous || before ? { to: previous ?? place, draft: { ...place, values: before } } : null,
        target: place,
      },
    );
    void navigate({
      ...createPageLink(place.task, place.model),
      search: {},
      replace: true,
    });
  });
  useEffect(() => {
    if (id && earlier.data) fill({ earlier: earlier.data });
  }, [id, earlier.data]);
  const is_placed = named !== null;
  useEffect(() => {
    if (media && chosen.data && is_placed) fill({ media: chosen.data });
  }, [media, chosen.data, is_placed]);

  const { error, isError, refetch } = media === undefined ? earlier : chosen;
  const wanted = id ?? media;
  return {
    state: wanted === undefined ? 'none' : isError || !signed_in ? 'failed' : 'loading',
    error,
    retry: () => void refetch(),
  };
}

const promptText = ({ input }: Generation) => (typeof input['prompt'] === 'string' ? input['prompt'] : null);

/** An output of a generation, or the cover of a post that it found. */
function selectedOutputs({ input, output }: Generation, asset: number, post: number | undefined) {
  for (const value of Object.values(input)) for (const { url } of readReferences(value)) cacheServiceOrigin(url);
  const made = post === undefined ? output.assets[asset] : undefined;
  const cover = post === undefined ? null : readPosts(output.data)[post]?.picture_url;
  if (made) return [made];
  return cover ? [{ type: 'image' as const, url: cover }] : [];
}
