import { isTaskId } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { rankMediaField } from '#contract/media-roles.ts';
import type { Model } from '#contract/resources/catalog.ts';
import type { InputContract } from '#contract/task.ts';
import { inputContract, isModelId } from '#web/api/known-models.ts';
import { hasSlot } from '#web/api/model-slots.ts';

type Side = 'left' | 'top' | 'right' | 'bottom';

/** How a model fills a larger canvas: by a mask of the new area, or by pixels for each side. */
export type ExpandWay =
  | { picture: string; mask: string; sides?: never }
  | { picture: string; sides: Record<Side, string>; mask?: never };

export interface ExpandTarget {
  task: TaskId;
  model: AnyModelId;
  way: ExpandWay;
}

const SIDE_NAME =
  /^(?:(?:expand|outpaint|extend|pad|padding|add)_)?(left|right|top|up|bottom|down)(?:_(?:px|pixels|expand))?$/;
const SIDES: Readonly<Record<string, Side>> = {
  left: 'left',
  right: 'right',
  top: 'top',
  up: 'top',
  bottom: 'bottom',
  down: 'bottom',
};

/** Fields for the pixels of all four sides. */
function findSides({ fields }: InputContract): Record<Side, string> | null {
  const found: Partial<Record<Side, string>> = {};
  for (const { kind, name } of fields) {
    const side = kind === 'integer' || kind === 'number' ? SIDES[SIDE_NAME.exec(name)?.[1] ?? ''] : undefined;
    if (side) found[side] = name;
  }
  const { left, right, top, bottom } = found;
  return left && right && top && bottom ? { left, right, top, bottom } : null;
}

/** null: the model can’t expand a picture. */
export function findExpandWay(contract: InputContract): ExpandWay | null {
  const sides = findSides(contract);
  const pictures = contract.fields.filter((field) => 'media' in field && field.media === 'image');
  const [picture] = pictures.toSorted((a, b) => rankMediaField(a) - rankMediaField(b));
  if (sides && picture) return { picture: picture.name, sides };
  for (const field of contract.fields)
    if (field.kind === 'reference' && field.mask)
      return { picture: field.mask.of.split('.')[0] ?? '', mask: field.name };
  return null;
}

/** The available models that can expand a picture, those made for it first. */
export function findExpandTargets(models: readonly Model[]): ExpandTarget[] {
  const targets = models.flatMap(({ id, available, tasks }) =>
    tasks.flatMap(({ task }): ExpandTarget[] => {
      const contract = available && isTaskId(task) && isModelId(id) ? inputContract(task, id) : undefined;
      const way = contract && findExpandWay(contract);
      if (!way || !isModelId(id)) return [];
      return way.mask && !hasSlot({ task, field: way.mask }, id, models) ? [] : [{ task, model: id, way }];
    }),
  );
  return targets.toSorted((a, b) => Number(a.way.sides === undefined) - Number(b.way.sides === undefined));
}
