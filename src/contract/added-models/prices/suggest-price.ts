import type { FieldSpec, InputContract } from '#contract/task.ts';
import { type BilledSide, type Counting, parseUnit, usualCounting } from './billed-quantities.ts';
import { wordsOf } from '#contract/added-models/fields/describe-field.ts';
import { changesLength, findLengthField } from './length-field.ts';
import type { OutputHints } from '#contract/added-models/output-hints.ts';
import { AddedPrice, type PriceQuantity } from './price-schema.ts';
import { readPriceText } from './price-text.ts';
import { splitWords } from '#contract/added-models/split-words.ts';

/** A price as a provider publishes it: `{ unit_price: 0.04, unit: '1000 characters' }`. */
export interface PublishedPrice {
  unit_price: number;
  /** Free text. */
  unit: string;
}

/** The model that has a price. */
interface PricedForm {
  contract: InputContract;
  output: OutputHints;
  /** Such as `image-to-video`. */
  category: string | null;
  /** What the provider writes about prices; null if nothing. */
  price_text: string | null;
  /** Whether a person entered the price, who knows what it depends on. */
  is_entered?: boolean;
}

/** What a price is counted by, and how often. */
type Counted = Pick<AddedPrice, 'quantity' | 'outputs'>;

const BY_BILL: Counted = { quantity: { from: 'result', largest: null }, outputs: { count: 1 } };
const ONE: PriceQuantity = { from: 'one' };

const isOneOf = (field: FieldSpec, kinds: readonly FieldSpec['kind'][]): boolean => kinds.includes(field.kind);

const COUNT_PATTERN =
  /^(?:(?:num|number|n)_(?:of_)?(?:images?|outputs?|samples?|videos?|audios?|results?|variations?|generations?)(?:_per_prompt)?|(?:image|output|sample|video)s?_(?:count|num|number)|n|images|outputs|samples|batch_(?:size|count))$/;
const MAYBE_COUNT_PATTERN = /^max_(?:images|outputs|results)$|^(?:images|outputs|samples)_per_/;

/** The field with the number of outputs; null if that is not certain. */
function outputsOf({ fields }: InputContract): AddedPrice['outputs'] | null {
  const named = fields.filter((field) => isOneOf(field, ['integer', 'choice']) && COUNT_PATTERN.test(field.name));
  const [first, second] = named;
  if (second || fields.some(({ name }) => MAYBE_COUNT_PATTERN.test(name))) return null;
  return first ? { field: first.name } : { count: 1 };
}

/** The only file with a length; null if it may be left out, or another one decides too. */
function soleTimedFile({ fields }: InputContract): string | null {
  const timed = fields.filter(
    (field) => (field.kind === 'reference' || field.kind === 'references') && field.media !== 'image',
  );
  const [only, other] = timed;
  return only?.kind === 'reference' && only.required === true && other === undefined ? only.name : null;
}

const hasOneFile = ({ fields }: InputContract): boolean => {
  const files = fields.filter((field) => field.kind === 'reference' || field.kind === 'references');
  return files.length === 1 && files[0]?.kind === 'reference';
};

const TEXT_NAMES = ['text', 'input', 'prompt', 'gen_text', 'script', 'lyrics'];
const OTHER_TEXT = /negative|ref|voice|style|system|instruct|language|speaker|emotion|previous|next|url|_id$/;

/** The text whose characters count; null if several might. */
function countedText({ fields }: InputContract): string | null {
  const texts = fields.filter((field) => field.kind === 'text' && !OTHER_TEXT.test(field.name));
  const required = texts.filter((field) => 'required' in field && field.required === true);
  const named = texts.filter(({ name }) => TEXT_NAMES.includes(name));
  return [required, named, texts].find(({ length }) => length === 1)?.[0]?.name ?? null;
}

function sizeField({ fields }: InputContract): string | null {
  const sizes = fields.filter(({ kind }) => kind === 'size');
  return sizes.length === 1 ? (sizes[0]?.name ?? null) : null;
}

/** What an input counts before its run; null if that would be a guess. */
function countInput(counting: Counting, contract: InputContract): Counted | null {
  const outputs = outputsOf(contract);
  const isSingle = outputs !== null && 'count' in outputs;
  const once = (quantity: PriceQuantity): Counted => ({ quantity, outputs: { count: 1 } });
  switch (counting) {
    case 'bill':
      return null;
    case 'outputs':
      return outputs && { quantity: ONE, outputs };
    case 'run':
      return isSingle ? once(ONE) : null;
    case 'file':
      return hasOneFile(contract) ? once(ONE) : null;
    case 'size': {
      const field = sizeField(contract);
      return field !== null && outputs ? { quantity: { from: 'size', field, largest: null }, outputs } : null;
    }
    case 'length': {
      const length = isSingle ? findLengthField(contract) : null;
      if (!length) return null;
      const { field, measured_in } = length;
      const unit = measured_in === 'seconds' ? {} : { measured_in };
      return once({ from: 'field', field, largest: null, ...unit });
    }
    case 'input': {
      const field = isSingle && !changesLength(contract) ? soleTimedFile(contract) : null;
      return field === null ? null : once({ from: 'media', field, largest: null });
    }
    case 'text': {
      const text = countedText(contract);
      return text === null ? null : once({ from: 'text', fields: [text], largest: null });
    }
  }
}

/** The category of a model that has none, by what its form takes and what it makes. */
function categoryOf({ category, contract, output }: PricedForm): string | null {
  if (category !== null) return category;
  const files = contract.fields.flatMap((field) => ('media' in field ? [field] : []));
  const source = (files.find(({ required }) => required) ?? files[0])?.media ?? 'text';
  const made = output.files.find(({ kind }) => kind !== null && kind !== 'file')?.kind;
  return made ? `${source}-to-${made}` : output.has_data ? `${source}-to-text` : null;
}

/** The text and the unit of a provider win over what its models of a category usually count. */
function sideCounting(usual: Counting, counts: string, side: BilledSide | null): Counting {
  if (side === 'both') return 'bill';
  if (counts === 'second' && side !== null) return side === 'input' ? 'input' : usual === 'length' ? 'length' : 'bill';
  if (counts === 'megapixel' && side !== null) return side === 'output' && usual === 'size' ? 'size' : 'bill';
  return usual;
}

/** Fields that often change a price, where a provider writes nothing about it. */
const PRICED_WORDS = splitWords('resolution quality speed audio sound mode tier hd fps definition style rendering');
const hasPricedField = ({ fields }: InputContract, counts: string): boolean =>
  fields.some(
    ({ kind, name }) =>
      (kind === 'choice' || kind === 'boolean') &&
      !name.includes('sync') &&
      wordsOf(name).some((word) => PRICED_WORDS.includes(word)),
  ) ||
  // A price of each video is the same for every length only if a text says so.
  (counts === 'video' && fields.some(({ kind, name }) => kind !== 'text' && /duration|frames/.test(name)));

const FURTHER_PRICES =
  'The provider’s text has more than this price in it. What the provider bills is counted: enter a cap, or count a field and add tiers.';
const MAYBE_PRICES =
  'Fields of this model may change its price. What the provider bills is counted: enter a cap, or count a field and add tiers.';

/** What a published price is counted by, and why it is not counted before a run. */
function countPrice({ unit_price, unit }: PublishedPrice, form: PricedForm): Counted & { problem: string | null } {
  const { basis, side } = parseUnit(unit);
  const { contract, price_text, is_entered = false } = form;
  const text = price_text === null || is_entered ? null : readPriceText(price_text, unit_price);
  const usual = usualCounting(basis.counts, categoryOf(form));
  const counted = countInput(sideCounting(usual, basis.counts, side ?? text?.side ?? null), contract);
  if (counted === null) return { ...BY_BILL, problem: null };
  if (text && !text.isWhole) return { ...BY_BILL, problem: FURTHER_PRICES };
  if (!text && !is_entered && hasPricedField(contract, basis.counts)) return { ...BY_BILL, problem: MAYBE_PRICES };
  return { ...counted, problem: null };
}

/**
 * Converts what a provider bills to units of a model's price; null if the price counts something else. A unit that is not
 * known is the provider's own, and counts where the price is of what the result shows.
 */
export function toPriceUnits(
  { unit, quantity }: Pick<AddedPrice, 'unit' | 'quantity'>,
  billed: { units: number; unit: string },
): number | null {
  const { basis, count, isKnown } = parseUnit(billed.unit);
  if (!isKnown) return unit === 'run' && quantity.from === 'result' ? billed.units : null;
  return basis.unit === unit ? billed.units * count * basis.size : null;
}

/** Dollars of a JSON number as whole micro-dollars of `per` units, rounded up; floating-point noise does not count. */
function toMicroUsd(dollars: number, per: number): number {
  const rounded = Math.ceil(Number((dollars * per * 1_000_000).toFixed(3)));
  return dollars > 0 ? Math.max(1, rounded) : rounded;
}

const NO_PRICE =
  'The price that the provider publishes is below zero or higher than a price here can be. Enter the price.';

interface SuggestedPrice {
  /** null if no price can be what the provider publishes. */
  price: AddedPrice | null;
  /** Why there is none, or what to look at: a sentence. */
  problem: string | null;
}

/**
 * Suggests the price of a model from what its provider publishes; the administrator confirms it. What an input costs is
 * certain only where its fields say the quantity that is billed; otherwise the provider's bill counts.
 */
export function suggestPrice(published: PublishedPrice, form: PricedForm): SuggestedPrice {
  const { basis, count } = parseUnit(published.unit);
  const { problem, ...counted } = countPrice(published, form);
  const dollars = published.unit_price / (count * basis.size);
  // Less than a hundred micro-dollars would lose digits.
  const per = basis.per === 1 && dollars < 0.0001 ? 1_000 : basis.per;
  const price: AddedPrice = {
    unit: basis.unit,
    unit_price_micro_usd: toMicroUsd(dollars, per),
    per,
    ...counted,
    rounding: basis.unit === 'megapixel' ? 'up' : 'exact',
    minimum_micro_usd: 0,
    cap_micro_usd: null,
    tiers: [],
  };
  return AddedPrice.safeParse(price).success ? { price, problem } : { price: null, problem: NO_PRICE };
}
