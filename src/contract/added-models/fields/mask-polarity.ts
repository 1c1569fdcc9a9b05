import type { Json } from '#contract/json-value.ts';
import type { MaskSpec } from '#contract/task.ts';
import { wordsOf } from './describe-field.ts';

export type MaskPolarity = MaskSpec['polarity'];

/** Words of a name that say that a file is an image, and how it is given. */
const IMAGE_WORDS = ['image', 'img', 'input', 'picture', 'photo', 'url', 'uri', 'file', 'path', 'data', 'png'];

/** `inpaint_mask_image_url`, not `masked_image` and not `mask_background`. */
export const isMaskName = (name: string): boolean =>
  wordsOf(name).findLast((word) => !IMAGE_WORDS.includes(word) && !/^\d+$/.test(word)) === 'mask';

/** “URL of the binary mask …”, “A black and white mask …”. */
const MASK_DESCRIPTION =
  /^(?:(?:the|an?|url|of|to|for|input|optional|binary|black|white|and|grayscale|inpainting|inpaint|image|png|your)[ -])*mask(?! of the)\b/;

const MAX_DESCRIPTION_CHARACTERS = 1_000;
const BLACK_AND_WHITE = /\bblack[- ](?:and|&|or)[- ]white\b|\bb&w\b/g;
const COLOR = /\b(white|black|transparent)\b/g;
const CLAUSE_END = /[.,;()\n]|\b(?:and|while|whereas|but|or)\b/;

const KEEPS =
  /\b(?:preserv\w*|ke(?:ep|eps|pt)|unchanged|untouched|protect\w*|retain\w*|ignor\w*|exclud\w*|static|remain\w*|intact|not)\b/;
const CHANGES =
  /\b(?:chang\w*|edit\w*|inpaint\w*|in-paint\w*|repaint\w*|redraw\w*|replac\w*|fill\w*|remov\w*|eras\w*|modif\w*|alter\w*|(?:re)?generat\w*|affect\w*|transform\w*|delet\w*|appl\w*|paint\w*|mask(?:ed)?|select\w*|visible)\b/;

/** Whether words say that something stays (false) or changes (true); null: neither. */
const changesIn = (text: string): boolean | null => (KEEPS.test(text) ? false : CHANGES.test(text) ? true : null);

/** What a description says of white, black and transparent pixels; null: nothing. */
function describedPolarity(text: string): MaskPolarity | null {
  const plain = text.replaceAll(BLACK_AND_WHITE, 'two-colored');
  return polarityOfClauses(plain.replaceAll(/\([^()]*\)/g, ' ')) ?? polarityOfClauses(plain);
}

function polarityOfClauses(text: string): MaskPolarity | null {
  for (const clause of text.split(CLAUSE_END)) {
    const colors = [...clause.matchAll(COLOR)];
    for (const [index, { 0: color, index: at }] of colors.entries()) {
      const after = changesIn(clause.slice(at + color.length, colors[index + 1]?.index));
      const changes = after ?? changesIn(clause.slice(0, at));
      if (changes === null) continue;
      if (color === 'transparent') {
        if (changes) return 'transparent';
      } else return (color === 'white') === changes ? 'white' : 'black';
    }
  }
  return null;
}

const AREAS = /\b(?:areas?|parts?|regions?|pixels)\b/;
const STAYS = /\b(?:preserved?|kept|keep|protect(?:ed)?|unchanged|untouched)\b/;

/** “Marks areas that should be preserved”: what is marked stays. */
const marksWhatStays = (name: string, text: string): boolean =>
  wordsOf(name).some((word) => ['static', 'keep', 'protect', 'preserve', 'exclude'].includes(word)) ||
  text.split('.').some((sentence) => {
    const areas = AREAS.exec(sentence);
    return areas !== null && STAYS.test(sentence.slice(areas.index));
  });

/**
 * Returns what an image of a model marks in another one by its name and description, or null if it is no mask. White
 * changes where nothing else is said.
 */
export function guessPolarity(name: string, { description }: Json): MaskPolarity | null {
  const text =
    typeof description === 'string' ? description.slice(0, MAX_DESCRIPTION_CHARACTERS).trim().toLowerCase() : '';
  if (!isMaskName(name) && !MASK_DESCRIPTION.test(text)) return null;
  return describedPolarity(text) ?? (marksWhatStays(name, text) ? 'black' : 'white');
}
