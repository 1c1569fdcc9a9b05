import { isTaskId, TASKS } from '#contract/catalog.ts';
import type { FieldSpec, InputContract, MediaKind } from '#contract/task.ts';
import { inputContract, isModelId } from '#web/api/known-models.ts';
import type { GenerationRequest } from '#web/api/queries/generations.ts';
import { readReferences } from '#web/forms/values/form-values.ts';
import { getReferenceInfo } from '#web/api/reference-info.ts';
import { isRatioField, parseAspectRatio } from '#web/forms/models/compare-options.ts';

const DEFAULT_RATIOS = { image: 1, video: 16 / 9, audio: 4 } satisfies Record<MediaKind, number>;

/** Required references come first: they are the media that the task edits. */
function referenceRatio(fields: readonly FieldSpec[], input: Readonly<Record<string, unknown>>): number | null {
  const isRequired = (field: FieldSpec) => 'required' in field && field.required === true;
  const sorted = [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))];
  for (const field of sorted) {
    if (!('media' in field) || field.media === 'audio') continue;
    const [first] = readReferences(input[field.name]);
    const info = first && getReferenceInfo(first.url);
    if (info?.width && info.height) return info.width / info.height;
  }
  return null;
}

/** Width ÷ height of the expected result. Its placeholder has this ratio, so that the page does not shift. */
export function expectedRatio(
  contract: InputContract,
  mediaType: MediaKind,
  input: Readonly<Record<string, unknown>>,
): number {
  if (mediaType === 'audio') return DEFAULT_RATIOS.audio;
  const field = contract.fields.find(isRatioField);
  const requestedRatio = field ? parseAspectRatio(input[field.name]) : null;
  return requestedRatio ?? referenceRatio(contract.fields, input) ?? DEFAULT_RATIOS[mediaType];
}

export function expectedRequestRatio({ task, model, input }: GenerationRequest['body']): number | null {
  if (!isTaskId(task)) return null;
  const contract = inputContract(task, model && isModelId(model) ? model : null);
  return contract ? expectedRatio(contract, TASKS[task].media_type, input) : null;
}
