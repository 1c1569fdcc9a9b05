import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Price } from '#contract/money/pricing.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { modelsForTask } from '#web/api/known-models.ts';
import { longestSeconds } from '#web/forms/values/format-input-limits.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';
import { isRatioField } from './compare-options.ts';
import { isPricedByMinimum, PER_UNIT_LABELS } from '#web/forms/money/price-lines.ts';
import { formatOrList } from '#web/ui/formats.ts';

export interface ComparedModel {
  model: AnyModelId;
  contract: InputContract;
  /** undefined while unknown */
  price: Price | undefined;
}

export const MAX_HIGHLIGHTS = 2;
/** More options than this are shown as a range. */
const MAX_OPTIONS = 3;

interface Fact {
  text: string;
  /** Number of compared models that share it. */
  holders: number;
}

/** Approximate; 4K is 3840 × 2160. null for options that are not sizes. */
function longerSidePx(option: unknown): number | null {
  const [, number = '', unit] = /^(\d+)([pK])$/.exec(String(option)) ?? [];
  if (unit) return Number(number) * (unit === 'K' ? 960 : 16 / 9);
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(option)) ?? [];
  return width && height ? Math.max(Number(width), Number(height)) : null;
}

function highestResolution({ fields }: InputContract): { value: number; label: string } | null {
  const sizes = fields.flatMap((field) =>
    field.kind === 'choice'
      ? field.options.flatMap((option) => {
          const value = longerSidePx(option);
          return value === null ? [] : [{ value, label: optionLabel(field, option) }];
        })
      : [],
  );
  return sizes.toSorted((a, b) => b.value - a.value)[0] ?? null;
}

const imagesField = ({ fields }: InputContract) =>
  fields.find((field) => field.kind === 'references' && field.media === 'image');
const imageCount = (contract: InputContract) => {
  const field = imagesField(contract);
  return field?.kind === 'references' ? field.max_items : 0;
};

const MEASURES: readonly {
  value: (contract: InputContract) => number;
  text: (value: number, contract: InputContract) => string;
}[] = [
  {
    value: (contract) => longestSeconds(contract) ?? 0,
    text: (seconds) => `Longest clips: up to ${seconds} s`,
  },
  {
    value: (contract) => highestResolution(contract)?.value ?? 0,
    text: (_value, contract) => `Largest size: ${highestResolution(contract)?.label}`,
  },
  {
    value: imageCount,
    text: (count, contract) =>
      `Most ${imagesField(contract)?.group === 'main' ? 'input' : 'reference'} images: ${count}`,
  },
];

/** null for fields that the measures or the price cover. */
function settingText(field: FieldSpec): string | null {
  if (field.kind === 'integer' && field.group === 'more') return `${field.label} setting`;
  if (field.kind !== 'choice' || isRatioField(field) || field.unit) return null;
  const options = field.options.filter((option) => option !== 'auto' && option !== 'adaptive');
  if (options.some((option) => longerSidePx(option) !== null)) return null;
  const labels = options.map((option) => optionLabel(field, option));
  return `${field.label}: ${labels.length > MAX_OPTIONS ? `${labels[0]} to ${labels.at(-1)}` : formatOrList(labels)}`;
}

const hasField = (name: string) => (each: ComparedModel) => each.contract.fields.some((field) => field.name === name);
const hasSound = ({ contract }: ComparedModel) =>
  contract.fields.some(({ kind, group }) => kind === 'boolean' && group === 'sound');
const isFlat = ({ contract, price }: ComparedModel) =>
  price?.unit === 'generation' && !price.multipliers && longestSeconds(contract) !== null;

const chargePerUnit = (price: Price) =>
  isPricedByMinimum(price) && price.minimum_micro_usd > price.unit_price_micro_usd
    ? price.minimum_micro_usd
    : price.unit_price_micro_usd;

/** Whether it is the cheapest. Only prices of the same unit without multipliers are comparable. */
function lowestPriceFact({ price }: ComparedModel, models: readonly ComparedModel[]): Fact | null {
  const comparable = models.flatMap((each) => (price && each.price?.unit === price.unit ? [each.price] : []));
  if (!price || comparable.some(({ multipliers }) => multipliers)) return null;
  const charge = chargePerUnit(price);
  const pricier = comparable.filter((each) => chargePerUnit(each) > charge).length;
  if (pricier === 0 || comparable.some((each) => chargePerUnit(each) < charge)) return null;
  const scope = comparable.length === models.length ? ` of ${models.length}` : ` ${PER_UNIT_LABELS[price.unit]}`;
  return { text: `Lowest price${scope}`, holders: comparable.length - pricier };
}

/** Differences to the other models of a task, the rarest first. @param models includes the model itself @param taskName in this installation */
export function modelHighlights(
  task: TaskId,
  model: AnyModelId,
  models: readonly ComparedModel[],
  taskName: string,
): string[] {
  const current = models.find((each) => each.model === model);
  if (!current) return [];
  if (modelsForTask(task).length === 1) return [`The only model for “${taskName}”`];
  const { contract } = current;
  const holdersOf = (holds: (each: ComparedModel) => boolean) => models.filter(holds).length;
  const lowestPrice = lowestPriceFact(current, models);
  const facts: Fact[] = [];
  for (const { value, text } of MEASURES) {
    const best = value(contract);
    if (best > 0 && models.every((each) => value(each.contract) <= best))
      facts.push({ text: text(best, contract), holders: holdersOf((each) => value(each.contract) === best) });
  }
  if (lowestPrice) facts.push(lowestPrice);
  if (isFlat(current)) facts.push({ text: 'One price for any length', holders: holdersOf(isFlat) });
  for (const field of contract.fields) {
    const text = settingText(field);
    if (text) facts.push({ text, holders: holdersOf(hasField(field.name)) });
  }
  const distinguishing = facts
    .filter(({ holders }) => holders <= models.length / 2)
    .toSorted((a, b) => a.holders - b.holders);
  const others = hasSound(current) && holdersOf(hasSound) < models.length ? ['Clips with sound'] : [];
  return [...distinguishing.map(({ text }) => text), ...others];
}
