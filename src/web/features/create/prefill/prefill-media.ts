import type { Model } from '#contract/resources/catalog.ts';
import type { Asset } from '#contract/resources/generation.ts';
import type { FieldSpec, InputContract, MediaKind } from '#contract/task.ts';
import { MIN_CLIP_SECONDS } from '#web/forms/values/clip-time.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { formatFieldValue } from '#web/forms/values/format-field-value.ts';
import { initialValues, readReferences, type FormValues } from '#web/forms/values/form-values.ts';
import { leadingFrameUrl, matchRatio } from '#web/forms/models/match-ratio.ts';
import { maxReferenceCount } from '#web/forms/models/max-reference-count.ts';
import { staleValues } from '#web/forms/stale-values.ts';
import type { SwitchResult } from '#web/forms/models/switch-input.ts';
import { findMovement, MOVEMENTS } from '#web/features/create/prompt-help/movements.ts';
import type { PrefilledForm } from './prefill.ts';
import type { CreateTarget } from '#web/features/create/models/switch-model.ts';

export interface MediaSource {
  media: readonly (Pick<Asset, 'type' | 'url'> & Partial<Pick<Asset, 'width' | 'height' | 'duration_seconds'>>)[];
  /** What the media show, for the prompt; null if unknown. */
  prompt: string | null;
  /** What the media were made of: the other files that the form requires, such as the sound of a clip. */
  input?: FormValues;
  /** Names of the fields to fill in; null: the one that fits. */
  fields: readonly string[] | null;
  /** Seconds at which the clip was on screen, for the first time that refers to it. */
  at?: number;
  /** Seconds at which the part of the clip ends. */
  end?: number | undefined;
  /** Appended to the notice, such as the name of the model. */
  note?: string | undefined;
}

const acceptsKind = (kind: MediaKind) => (field: FieldSpec) => 'media' in field && field.media === kind;

/** The field for media of a kind: the named one; without names the required one, else the first that accepts it. */
function fieldForMedia(contract: InputContract, kind: MediaKind, names: MediaSource['fields']) {
  const fields = contract.fields.filter(acceptsKind(kind));
  const field = names
    ? fields.find(({ name }) => names.includes(name))
    : (fields.find((each) => 'required' in each && each.required) ?? fields[0]);
  return field && 'media' in field ? field : undefined;
}

/** Prefills with media and their prompt, keeping the draft's other values; null if no field accepts them. */
export function prefillFromMedia(
  target: CreateTarget,
  source: MediaSource,
  draft: FormValues | undefined,
  models: readonly Model[] | undefined,
): PrefilledForm | null {
  const { media, note } = source;
  const contract = effectiveContract(target.task, target.model, models);
  if (!contract) return null;
  const mediaByField = Map.groupBy(media, ({ type }) => fieldForMedia(contract, type, source.fields));
  mediaByField.delete(undefined);
  let values = draft ?? initialValues(contract);
  const changed: SwitchResult['changed'] = [];
  const labels: string[] = [];
  let leftOver = media.length;
  for (const [field, accepted] of mediaByField) {
    if (!field) continue;
    const max = maxReferenceCount(contract, values, field);
    const items = accepted.slice(0, max).map(({ url }) => ({ url }));
    leftOver -= items.length;
    const previous = readReferences(values[field.name]).filter(({ url }) => items.every((item) => item.url !== url));
    const list = [...previous.slice(0, max - items.length), ...items];
    values = { ...values, [field.name]: field.kind === 'reference' ? list.at(-1) : list };
    labels.push(field.label);
    const { width, height } = accepted[0] ?? {};
    const setsRatio = leadingFrameUrl(contract, values) === items[0]?.url && field.group === 'frames';
    const match = setsRatio && width && height ? matchRatio(contract, values, width / height) : null;
    if (!match || match.value === values[match.field.name]) continue;
    changed.push(describeChange(match.field, values, match.value));
    values = { ...values, [match.field.name]: match.value };
  }
  const prompt = contract.fields.find(({ name, kind }) => kind === 'text' && source.fields?.includes(name));
  if (prompt?.kind === 'text') {
    const own = String(values[prompt.name] ?? '').trim();
    // What made the picture does not say how it moves.
    const movement = findMovement(own) ? own : MOVEMENTS[0]?.sentence;
    const text = (labels.length > 0 && target.task === 'video.create' ? movement : source.prompt?.trim()) || own;
    const clipped = [...text].slice(0, prompt.max_length ?? undefined).join('');
    values = { ...values, [prompt.name]: clipped };
    if (clipped !== own) labels.push(prompt.label);
  }
  if (labels.length === 0) return null;
  for (const field of contract.fields) {
    const file = source.input?.[field.name];
    if (field.kind !== 'reference' || !field.required || mediaByField.has(field) || readReferences(file).length === 0)
      continue;
    values = { ...values, [field.name]: file };
    labels.push(field.label);
  }
  values = {
    ...values,
    ...staleValues(contract, draft ?? {}, values),
    ...timeOnScreen(contract, mediaByField, source),
  };
  const remainder = leftOver > 0 ? `; ${leftOver} more did not fit` : '';
  const title = `Added to ${labels.join(' and ')}${note ? ` · ${note}` : ''}${remainder}`;
  return { ...target, title, values, changed, dropped: [] };
}

function timeOnScreen(
  { fields }: InputContract,
  filled: ReadonlyMap<FieldSpec | undefined, MediaSource['media']>,
  { at = 0, end }: MediaSource,
): FormValues {
  for (const [target, [clip]] of filled) {
    const [time, ...laterTimes] = fields.filter((field) => 'time_of' in field && field.time_of === target?.name);
    const latest = (clip?.duration_seconds ?? Number.POSITIVE_INFINITY) - laterTimes.length * MIN_CLIP_SECONDS;
    const [until] = laterTimes;
    if (time && until && end !== undefined && end > at) return { [time.name]: at, [until.name]: end };
    if (time && at > 0 && at <= latest) return { [time.name]: at };
  }
  return {};
}

const describeChange = (field: FieldSpec, values: FormValues, to: unknown) => ({
  label: field.label,
  from: formatFieldValue(field, values[field.name]),
  to: formatFieldValue(field, to),
});
