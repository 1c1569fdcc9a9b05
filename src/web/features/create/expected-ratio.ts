import { inputContract, isModelId, isTaskId, TASKS } from '#contract/catalog.ts';
import type { Field, InputContract, MediaKind } from '#contract/task.ts';
import type { Order } from '#web/queries/generations.ts';
import { referencesOf } from '#web/forms/input-values.ts';
import { mediaInfo } from '#web/forms/media-info.ts';
import { isRatio, ratioOf } from '#web/forms/option-measure.ts';

/** What comes out where neither the input nor a reference decides it. */
const USUAL_RATIOS = { image: 1, video: 16 / 9, audio: 4 } satisfies Record<MediaKind, number>;

/** Required references first: the result takes its shape from what is worked on. */
function ratioOfReferences(fields: readonly Field[], input: Readonly<Record<string, unknown>>): number | null {
  const isRequired = (field: Field) => 'required' in field && field.required === true;
  const sorted = [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))];
  for (const field of sorted) {
    if (!('media' in field) || field.media === 'audio') continue;
    const [first] = referencesOf(input[field.name]);
    const info = first && mediaInfo(first.url);
    if (info?.width && info.height) return info.width / info.height;
  }
  return null;
}

/** Width ÷ height that a result will probably have, so that it replaces its empty frame without a jump. */
export function expectedRatio(
  contract: InputContract,
  media_type: MediaKind,
  input: Readonly<Record<string, unknown>>,
): number {
  const field = contract.fields.find(isRatio);
  const asked = field ? ratioOf(input[field.name]) : null;
  if (media_type === 'audio') return USUAL_RATIOS.audio;
  return asked ?? ratioOfReferences(contract.fields, input) ?? USUAL_RATIOS[media_type];
}

/** The same for an order; null where its task is not known. */
export function ratioOfOrder({ task, model, input }: Order['body']): number | null {
  if (!isTaskId(task)) return null;
  const contract = inputContract(task, model && isModelId(model) ? model : null);
  return contract ? expectedRatio(contract, TASKS[task].media_type, input) : null;
}
