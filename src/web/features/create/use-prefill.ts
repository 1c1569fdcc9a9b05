import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { inputContract } from '#contract/catalog.ts';
import { prefillAsset, prefillFrom } from './prefill.ts';
import type { CreateSearch } from './search.ts';
import type { Place, SwitchNote } from './switch-model.ts';
import { readDraft, writeDraft } from '#web/forms/drafts.ts';
import { referencesOf, type Values } from '#web/forms/input-values.ts';
import { learnOrigin, rememberMedia } from '#web/forms/media-info.ts';
import { readPosts } from '#web/outputs/read-output-data.ts';
import { generationQuery } from '#web/queries/generations.ts';
import { showToast } from '#web/ui/toast-store.ts';

export interface PrefillState {
  state: 'none' | 'loading' | 'failed';
  error: unknown;
  again: () => void;
}

/**
 * Fills the form in as the address asks, once, and then takes the wish out of the address, so that a reload keeps what was
 * typed since.
 * @param named the place that the address names, null where it leaves that to the generation
 * @param onFilled gets what to say about it
 */
export function usePrefill(
  { from, use, asset = 0, post }: CreateSearch,
  named: Place | null,
  signed_in: boolean,
  onFilled: (note: SwitchNote | null) => void,
): PrefillState {
  const navigate = useNavigate();
  const id = from ?? use;
  const { data, error, isError, refetch } = useQuery({
    ...generationQuery(id ?? ''),
    enabled: id !== undefined && signed_in,
  });

  useEffect(() => {
    if (!id || !data) return;
    for (const value of Object.values(data.input)) for (const { url } of referencesOf(value)) learnOrigin(url);
    const made = post === undefined ? data.output.assets[asset] : undefined;
    if (made) rememberMedia(made);
    const cover = post === undefined ? null : readPosts(data.output.data)[post]?.picture_url;
    const output = made ?? (cover ? { type: 'image' as const, url: cover } : undefined);
    const draftOf = (place: Place): Values | undefined => {
      const contract = inputContract(place.task, place.model);
      return contract && readDraft(place.task, place.model, contract);
    };
    const own = { task: data.task, model: data.model };
    const place = named ?? own;
    const before = draftOf(place);
    const filled = from ? prefillFrom(data, named) : output ? prefillAsset(place, output, before) : null;
    if (filled) writeDraft(filled.task, filled.model, filled.values);
    else showToast({ title: 'Nothing to take over', detail: 'That generation has nothing this form could use.' });
    onFilled(
      filled && {
        title: filled.title,
        kept: [],
        changed: filled.changed,
        dropped: filled.dropped,
        back: before ? { ...place, values: before } : null,
        at: place,
      },
    );
    void navigate({
      to: '/create/{-$task}/{-$model}',
      params: { task: place.task, model: place.model ?? undefined },
      search: {},
      replace: true,
    });
    // Runs when the generation has come, for the address that asked for it; the rest is as it was then.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, data]);

  return {
    state: id === undefined ? 'none' : isError || !signed_in ? 'failed' : 'loading',
    error,
    again: () => void refetch(),
  };
}
