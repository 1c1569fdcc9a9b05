import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Model } from '#contract/resources/catalog.ts';
import { isActive } from '#contract/statuses.ts';
import { prefillFromGeneration, type PrefilledForm, prefillFromPreset } from './prefill.ts';
import { prefillFromMedia } from './prefill-media.ts';
import { startOrder } from '#web/features/create/orders/pending-orders.ts';
import type { CreateSearch } from '#web/features/create/create-search.ts';
import type { CreateTarget, SwitchSummary } from '#web/features/create/models/switch-model.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { MediaDetail } from '#contract/resources/media.ts';
import type { Preset } from '#contract/resources/preset.ts';
import { inputContract } from '#web/api/known-models.ts';
import { readDraft, recordEdits, writeDraft } from '#web/forms/values/drafts.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { type FormValues, initialValues, readReferences, toInput } from '#web/forms/values/form-values.ts';
import { cacheServiceOrigin, cacheMediaInfo } from '#web/api/reference-info.ts';
import { modelName } from '#web/api/model-names.ts';
import { promptFromPost } from '#web/media/outputs/prompt-from-post.ts';
import { readPosts } from '#web/media/outputs/read-output-data.ts';
import { chosenMediaQuery } from '#web/api/queries/media.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { presetQuery } from '#web/api/queries/presets.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export interface PrefillState {
  /** `unusable`: the generation has no output. */
  state: 'loading' | 'failed' | 'unusable';
  error: unknown;
  retry: () => void;
  /** The generation whose output becomes an input. */
  generation: Generation | undefined;
}

export interface PrefillRequest {
  search: CreateSearch;
  /** null if the URL names no task; then the generation decides. */
  target: CreateTarget | null;
  /** The form that was open before. */
  previous: CreateTarget | null;
  /** Of the models query. */
  models: readonly Model[] | undefined;
  signedIn: boolean;
  onPrefilled: (summary: SwitchSummary | null) => void;
}

/** Prefills the form from the search parameters once, then removes them from the URL, so that a reload keeps later edits. */
export function usePrefill({
  search: { from, query, use, asset = 0, post, media, fields, at = 0, end, preset: preset_id },
  target,
  previous,
  models,
  signedIn,
  onPrefilled,
}: PrefillRequest): PrefillState {
  const navigate = useNavigate();
  const id = from ?? use;
  const generation = useQuery({ ...generationQuery(id ?? ''), enabled: id !== undefined && signedIn });
  const mediaList = useQuery({
    ...chosenMediaQuery(media?.split(',') ?? []),
    enabled: media !== undefined && signedIn,
  });
  const preset = useQuery({ ...presetQuery(preset_id ?? ''), enabled: preset_id !== undefined && signedIn });

  const client = useQueryClient();
  const startsAtOnce = useLocation().state.starts_at_once === true;
  const isStarted = useRef(false);
  const finish = (to: CreateTarget, draft: FormValues | undefined, prefilled: PrefilledForm | null) => {
    if (prefilled) writePrefilled(prefilled, draft);
    const contract = inputContract(to.task, to.model);
    if (!prefilled) showToast({ title: 'Nothing to reuse', detail: 'This form accepts none of it.' });
    else if (contract && startsAtOnce && !isStarted.current) {
      isStarted.current = true;
      startOrder(client, { ...to, input: toInput(contract, prefilled.values) });
    }
    onPrefilled(
      prefilled && {
        title: prefilled.title,
        kept: [],
        changed: prefilled.changed,
        dropped: prefilled.dropped,
        restored: [],
        undo: previous || draft ? { to: previous ?? to, draft: { ...to, values: draft } } : null,
        target: to,
      },
    );
    void navigate({ ...createPageLink(to.task, to.model), search: {}, replace: true });
  };
  const applyPreset = useEffectEvent((source: Preset) => {
    const to = { task: source.task, model: source.model };
    for (const value of Object.values(source.input)) {
      for (const { url } of readReferences(value)) cacheServiceOrigin(url);
    }
    const contract = effectiveContract(to.task, to.model, models);
    const draft = contract && readDraft(to.task, to.model, contract);
    finish(to, draft, prefillFromPreset(source, models));
  });
  const prefill = useEffectEvent((source: { generation: Generation } | { media: readonly MediaDetail[] }) => {
    const to =
      target ?? ('generation' in source ? { task: source.generation.task, model: source.generation.model } : null);
    if (!to) return;
    const contract = effectiveContract(to.task, to.model, models);
    const draft = contract && readDraft(to.task, to.model, contract);
    const outputs = 'media' in source ? source.media : selectedOutputs(source.generation, asset, post);
    const prompt = 'generation' in source ? promptOf(source.generation, post) : mediaPrompt(source.media);
    const input = 'generation' in source ? source.generation.input : {};
    for (const output of outputs) if ('id' in output) cacheMediaInfo(output, prompt);
    const note = to.model && fields ? `on ${modelName(to.model, models)}` : undefined;
    const prefilled =
      'generation' in source && from
        ? prefillFromGeneration(withQuery(source.generation, query), target, models)
        : prefillFromMedia(
            to,
            { media: outputs, prompt, input, fields: fields?.split(',') ?? null, at, end, note },
            // Its price is that of the form as it is at first.
            startsAtOnce && to.model !== null ? undefined : draft,
            models,
          );
    finish(to, draft, prefilled);
  });
  // Only the input is reused `from` a generation; `use` waits for its output.
  const isPending = use !== undefined && generation.data !== undefined && isActive(generation.data.status);
  const isUnusable = use !== undefined && !isPending && generation.data?.status !== 'succeeded';
  useEffect(() => {
    if (id && generation.data && !isPending && !isUnusable) prefill({ generation: generation.data });
  }, [id, generation.data, isPending, isUnusable]);
  const hasTarget = target !== null;
  useEffect(() => {
    if (media && mediaList.data && hasTarget) prefill({ media: mediaList.data });
  }, [media, mediaList.data, hasTarget]);

  useEffect(() => {
    if (preset.data) applyPreset(preset.data);
  }, [preset.data]);

  const { error, isError, refetch } = preset_id ? preset : media === undefined ? generation : mediaList;
  return {
    state: isError || !signedIn ? 'failed' : isUnusable && generation.data ? 'unusable' : 'loading',
    error,
    retry: () => void refetch(),
    generation: use === undefined ? undefined : generation.data,
  };
}

function writePrefilled({ task, model, values }: PrefilledForm, draft: FormValues | undefined): void {
  const contract = inputContract(task, model);
  writeDraft(task, model, values);
  recordEdits(task, draft ?? (contract ? initialValues(contract) : {}), values);
}

const withQuery = (generation: Generation, query: string | undefined): Generation =>
  query === undefined ? generation : { ...generation, input: { ...generation.input, query } };

function promptOf({ input, output }: Generation, post: number | undefined): string | null {
  const found = post === undefined ? undefined : readPosts(output.data)[post];
  if (found) return promptFromPost(found);
  return typeof input['prompt'] === 'string' ? input['prompt'] : null;
}

const mediaPrompt = ([first]: readonly MediaDetail[]) => first?.generation?.prompt ?? null;

function selectedOutputs({ input, output }: Generation, asset: number, post: number | undefined) {
  for (const value of Object.values(input)) for (const { url } of readReferences(value)) cacheServiceOrigin(url);
  if (post === undefined) return output.assets.slice(asset, asset + 1);
  const coverUrl = readPosts(output.data)[post]?.coverUrl;
  return coverUrl ? [{ type: 'image' as const, url: coverUrl }] : [];
}
