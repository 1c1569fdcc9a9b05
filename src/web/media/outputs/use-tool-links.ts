import { useQuery } from '@tanstack/react-query';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { rankMediaField } from '#contract/media-roles.ts';
import { formatMoney, formatUsd } from '#contract/money/money.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { type FieldSpec, fieldDefault, type InputContract, type MediaKind } from '#contract/task.ts';
import { inputContract, modelsForTask, priceInput } from '#web/api/known-models.ts';
import { readLastModel } from '#web/api/last-model.ts';
import { modelName } from '#web/api/model-names.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import { TOOL_STEPS } from './tool-steps.ts';

/** A step that a model does in one press, at a price. */
export interface ToolLink {
  task: TaskId;
  model: AnyModelId;
  label: string;
  hint: string;
  field: string;
  price: string;
}

const isOpen = (field: FieldSpec): boolean =>
  ('required' in field && field.required === true) ||
  ((field.kind === 'choice' || field.kind === 'size') && field.default === undefined);

/** The field for the file, if the model needs nothing else. */
function soleField({ fields }: InputContract, media: MediaKind): FieldSpec | undefined {
  const taking = fields.filter((field) => 'media' in field && field.media === media);
  const [field] = taking.toSorted((a, b) => rankMediaField(a) - rankMediaField(b));
  return field && fields.every((each) => each === field || !isOpen(each)) ? field : undefined;
}

function priceOf(task: TaskId, model: AnyModelId, contract: InputContract, field: FieldSpec, file: MediaItem): string {
  const { url, width, height, duration_seconds } = file;
  const defaults = Object.fromEntries(contract.fields.map((each) => [each.name, fieldDefault(each)]));
  const input = { ...defaults, [field.name]: field.kind === 'references' ? [{ url }] : { url } };
  const measured = {
    ...(width === null ? {} : { width }),
    ...(height === null ? {} : { height }),
    ...(duration_seconds === null ? {} : { seconds: duration_seconds }),
  };
  const { amount_micro_usd, basis } = priceInput([], { task, model }, input, { files: { [field.name]: measured } });
  return `${basis === 'upper_bound' ? 'up to ' : ''}${formatMoney(formatUsd(amount_micro_usd))}`;
}

/** What models do with a file alone: upscale it, remove its background. */
export function useToolLinks(type: MediaKind, mediaId: string): ToolLink[] {
  const { data: models } = useQuery(modelsQuery);
  const { data: file } = useQuery(mediaQuery(mediaId));
  if (!file) return [];
  return TOOL_STEPS.filter((step) => step.media === type).flatMap(({ task, label, hint, isWithoutPrompt }) => {
    const usable = modelsForTask(task).flatMap((model) => {
      const contract = inputContract(task, model);
      const field = contract && soleField(contract, type);
      const isListed = models?.some(({ id, available }) => id === model && available) === true;
      const isOther = isWithoutPrompt && contract?.fields.some(({ name }) => /prompt|^(?:ref|background)_/.test(name));
      return contract && field && isListed && !isOther ? [{ model, contract, field }] : [];
    });
    const chosen = usable.find(({ model }) => model === readLastModel(task)) ?? usable[0];
    if (!chosen) return [];
    const { model, contract, field } = chosen;
    const price = priceOf(task, model, contract, field, file);
    return [{ task, model, label, hint: `${hint}, on ${modelName(model, models)}`, field: field.name, price }];
  });
}
