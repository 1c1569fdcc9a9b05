import type { BilledSide } from './billed-quantities.ts';

/** What a provider writes about a price beside its number. */
interface PriceText {
  /** Whether the number is all that there is to pay. */
  isWhole: boolean;
  side: BilledSide | null;
}

const MAX_CHARACTERS = 2_000;

/** Sentences that repeat a price: “For $1, you can run this model 25 times.”, “For example, …”, “Pricing may change.” */
const REPEATS = [
  /\bfor (?:\$1|1 ?\$)(?:\.0+)?,? (?:you|this|your)\b/,
  /^for example\b|^e\.g\.|^example:/,
  /\b(?:price|pricing) may change\b/,
];
/** Prices here round megapixels up as well. */
const roundsMegapixels = (sentence: string): boolean =>
  sentence.includes('round') && sentence.includes('nearest megapixel');
const AMOUNT =
  /\$ ?\d{1,9}(?:\.\d{1,9})?|\d{1,9}(?:\.\d{1,9})? ?(?:\$|usd\b|dollars?\b|cents?\b)|(?<=\bcosts? )\d{1,9}(?:\.\d{1,9})?(?= per\b)/g;
/** Words of a price that depends on something, or of a second price. */
const DEPENDS =
  /%|\b(?:doubled?|doubles|twice|additional|additionally|extra|adds?|added|plus|multipl\w*|minimum|least|up to|round\w*|if|depend\w*|formula|different|calculated|first|tokens? and|regardless|otherwise|rate varies|x the)\b/;

const sentencesOf = (text: string): string[] =>
  text
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/[*_`]/g, '')
    .toLowerCase()
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const dollarsOf = (amount: string): number => {
  const number = Number(/\d+(?:\.\d+)?/.exec(amount)?.[0]);
  return amount.includes('cent') ? number / 100 : number;
};

/** A price per minute beside one per second is the same price. */
const SAME_PRICE_FACTORS = [1, 60, 1 / 60];

/** @param unitPrice in dollars, that the provider publishes beside the text */
export function readPriceText(text: string, unitPrice: number): PriceText {
  const told = sentencesOf(text).filter(
    (sentence) => !roundsMegapixels(sentence) && !REPEATS.some((pattern) => pattern.test(sentence)),
  );
  const whole = told.join(' ');
  const amounts = (whole.match(AMOUNT) ?? []).map(dollarsOf);
  const isSame = (dollars: number) =>
    SAME_PRICE_FACTORS.some((factor) => Math.abs(dollars * factor - unitPrice) <= unitPrice * 0.000_1);
  const isInput = /\b(?:input|uploaded|source)\b/.test(whole);
  const isOutput = /\b(?:output|outputs|generated|generate)\b/.test(whole);
  return {
    isWhole: amounts.length === 1 && amounts.every(isSame) && !DEPENDS.test(whole),
    side: isInput && isOutput ? 'both' : isInput ? 'input' : isOutput ? 'output' : null,
  };
}
