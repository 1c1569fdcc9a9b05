import { findAddedModel, findContract } from '#contract/model-catalog.ts';
import { isJson } from '#contract/json-value.ts';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { extractReferences } from '#contract/task-input.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import { MAX_PRESET_INPUT_CHARACTERS } from '#contract/limits.ts';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { FieldSpec } from '#contract/task.ts';
import { findVisible } from '#server/accounts/people/own-work.ts';
import { isModelVisible } from '#server/models/added-models/added-models.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { createMediaLink, parseLocalMediaUrl } from '#server/studio/assets/media-links.ts';
import type { Deps } from '#server/platform/deps.ts';

export interface SavedForm {
  task: TaskId;
  model: AnyModelId | null;
  input: Record<string, unknown>;
}

const MAX_LISTED_PROMPT_CHARACTERS = 300;

/**
 * Validates a form to save. Required fields may be absent and rules between fields broken, because it may be unfinished.
 * Links to media of the service lose their signature. Decision: Presets
 * @param at the path of the form in the body
 * @throws {ApiError} 422 `invalid_request` that names the field
 */
export function validateForm(
  deps: Deps,
  caller: Caller,
  { task, model, input }: SavedForm,
  at: readonly string[] = [],
): SavedForm {
  const path = (...names: string[]) => [...at, ...names].join('.');
  const offering = deps.offering.current();
  const added = findAddedModel(offering, model);
  const contract = added && !isModelVisible(added, caller) ? undefined : findContract(offering, { task, model });
  if (!contract) throw invalid([{ path: path('model'), message: 'The model is not one of this task.' }]);
  if (JSON.stringify(input).length > MAX_PRESET_INPUT_CHARACTERS) {
    const limit = MAX_PRESET_INPUT_CHARACTERS.toLocaleString('en-US');
    throw invalid([{ path: path('input'), message: `The form can have at most ${limit} characters of JSON.` }]);
  }
  const parsed = parseInput(contract, input, ownMediaOrigin(deps.config));
  const rules = new Set(contract.rules.map(({ message }) => message));
  const details = (parsed.ok ? [] : parsed.details).filter(
    ({ path: atPath, message }) => !rules.has(message) && Object.hasOwn(input, atPath.split('.')[1] ?? ''),
  );
  if (details.length > 0) {
    throw invalid(details.map((detail) => ({ ...detail, path: [...at, detail.path].join('.') })));
  }
  return { task, model, input: mapUrls(contract.fields, input, (url) => withoutSignature(deps, url)) };
}

const invalid = (details: ErrorDetail[]) =>
  new ApiError('invalid_request', details[0]?.message ?? 'The form is invalid.', { status: 422, details });

/** The beginning of the prompt or query, for lists. */
export function readPromptExcerpt({ input }: Pick<SavedForm, 'input'>): string | null {
  const text = input['prompt'] ?? input['query'];
  return typeof text === 'string' && text.trim() !== ''
    ? text.slice(0, MAX_LISTED_PROMPT_CHARACTERS).toWellFormed()
    : null;
}

function withoutSignature(deps: Deps, url: string): string {
  const local = parseLocalMediaUrl(deps, url);
  return local ? `${deps.config.publicUrl}${MEDIA_PATH}${local.id}` : url;
}

/**
 * Returns the input with new links to the service's own media, without those that are gone or that the caller does not
 * see, and the fields that lack them.
 */
export async function renewMedia(
  deps: Deps,
  caller: Caller,
  { task, model, input }: SavedForm,
): Promise<{ input: Record<string, unknown>; missing_media: string[] }> {
  const contract = findContract(deps.offering.current(), { task, model });
  if (!contract) return { input, missing_media: [] };
  const references = extractReferences(contract, input);
  const urls = new Map<string, string | null>();
  const lookups = await Promise.all(
    [...new Set(references.map(({ url }) => url))].map(async (url) => ({
      url,
      found: await findLocalMedia(deps, caller.organization_id, url),
    })),
  );
  const ids = lookups.flatMap(({ found }) => (found.own && found.medium ? [found.medium.id] : []));
  const visible = await findVisible(deps, caller, ids);
  for (const { url, found } of lookups) {
    if (!found.own) urls.set(url, url);
    else
      urls.set(url, found.medium && visible.has(found.medium.id) ? createMediaLink(deps, found.medium.id).url : null);
  }
  const missing = references.filter(({ url }) => urls.get(url) === null);
  return {
    input: mapUrls(contract.fields, input, (url) => urls.get(url) ?? null),
    missing_media: [...new Set(missing.map(({ path }) => path.split('.')[0] ?? path))],
  };
}

/** @param next null: the reference is left out */
function mapUrls(
  fields: readonly FieldSpec[],
  input: Readonly<Record<string, unknown>>,
  next: (url: string) => string | null,
): Record<string, unknown> {
  const mapOne = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') return [];
    const url = next(value.url);
    return url === null ? [] : [{ ...value, url }];
  };
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const field = fields.find((each) => each.name === name);
      if (field?.kind === 'references' && Array.isArray(value)) return [[name, value.flatMap(mapOne)]];
      if (field?.kind === 'reference' && value !== null) return mapOne(value).map((reference) => [name, reference]);
      if (field?.kind === 'group' && isJson(value)) return [[name, mapUrls(field.fields, value, next)]];
      if (field?.kind === 'rows' && Array.isArray(value))
        return [[name, value.map((row: unknown) => (isJson(row) ? mapUrls(field.fields, row, next) : row))]];
      return [[name, value]];
    }),
  );
}
