import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';
import type { Context, Stage } from './canvas.ts';

const fontFiles = (packageUrl: string, pattern: RegExp): string[] => {
  const folder = new URL('./files/', packageUrl);
  return readdirSync(folder)
    .filter((file) => pattern.test(file))
    .map((file) => fileURLToPath(new URL(file, folder)));
};

/** Each file has some scripts only, and a second file of one family would replace the first. */
function registerFamilies(prefix: string, files: readonly string[]): string[] {
  return files.map((file, index) => {
    const family = `${prefix}${index}`;
    GlobalFonts.registerFromPath(file, family);
    return family;
  });
}

let latin: string | undefined;
let all: string | undefined;

/** Latin, Greek and Cyrillic come from Inter; other scripts from Noto, the machine's fonts, and Unifont at last. */
function fontFamilies(text: string): string {
  latin ??= registerFamilies(
    'Inter',
    fontFiles(
      import.meta.resolve('@fontsource-variable/inter/package.json'),
      /(latin|greek|cyrillic)(-ext)?-wght-normal/,
    ),
  )
    .toReversed()
    .join(',');
  if (/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u.test(text)) return latin;
  all ??= [
    latin,
    ...registerFamilies(
      'Noto',
      fontFiles(import.meta.resolve('@fontsource-variable/noto-sans-sc/package.json'), /wght-normal/),
    ).toReversed(),
    'sans-serif',
    ...registerFamilies('Unifont', fontFiles(import.meta.resolve('@fontsource/unifont/package.json'), /woff2$/)),
  ].join(',');
  return all;
}

function setFont(context: Context, text: string, sizePx: number, weight: number): void {
  context.font = `${weight} ${sizePx}px ${fontFamilies(text)}`;
  context.fontVariationSettings = `'wght' ${weight}`;
}

const EMOJI = /\p{Extended_Pictographic}|\uFE0F|\u200D/gu;
/** Words after which a line may break, in scripts without blanks too. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

function breakLines(context: Context, text: string, widthPx: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const { segment } of segmenter.segment(text)) {
    if (line !== '' && context.measureText((line + segment).trimEnd()).width > widthPx) {
      lines.push(line.trim());
      line = '';
    }
    line += segment;
  }
  return [...lines, line.trim()].filter((each) => each !== '');
}

/** Sets a text as large as fits into a box, from its top, on the side where its script begins. */
export function setText(
  context: Context,
  text: string,
  box: { x: number; y: number; width: number; height: number },
  { unit }: Pick<Stage, 'unit'>,
): void {
  const plain = text.replaceAll(EMOJI, '').replaceAll(/\s+/g, ' ').trim();
  const isRightToLeft = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(plain);
  for (let sizePx = 120 * unit; ; sizePx *= 0.88) {
    setFont(context, plain, sizePx, 600);
    const lines = breakLines(context, plain, box.width);
    const lineHeight = sizePx * 1.16;
    const isWide = lines.some((line) => context.measureText(line).width > box.width);
    if ((isWide || lines.length * lineHeight > box.height) && sizePx > 14 * unit) continue;
    const shown = lines.slice(0, Math.max(1, Math.floor(box.height / lineHeight)));
    context.textAlign = isRightToLeft ? 'right' : 'left';
    context.direction = isRightToLeft ? 'rtl' : 'ltr';
    context.textBaseline = 'alphabetic';
    for (const [index, line] of shown.entries())
      context.fillText(line, isRightToLeft ? box.x + box.width : box.x, box.y + sizePx + index * lineHeight);
    return;
  }
}

/** Names the picture a preview, in its lower left corner. */
export function drawBadge(context: Context, { height, unit }: Stage): void {
  const sizePx = Math.round(Math.max(11, 21 * unit));
  setFont(context, 'Preview', sizePx, 600);
  const padPx = sizePx * 0.62;
  const marginPx = sizePx * 1.1;
  const boxHeight = sizePx * 1.85;
  const y = height - marginPx - boxHeight;
  context.fillStyle = '#0b0b0d99';
  context.beginPath();
  context.roundRect(marginPx, y, context.measureText('Preview').width + 2 * padPx, boxHeight, boxHeight / 2);
  context.fill();
  context.fillStyle = '#ffffffe6';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText('Preview', marginPx + padPx, y + boxHeight / 2);
}
