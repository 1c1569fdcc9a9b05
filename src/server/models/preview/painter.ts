import {
  alpha,
  type Context,
  fillAll,
  finish,
  type LayeredPicture,
  newCanvas,
  type Pixels,
  readPixels,
  type Stage,
  toCanvas,
} from './canvas.ts';
import { abstract, typography } from './abstract.ts';
import { landscape } from './landscape.ts';
import { stillLife } from './still-life.ts';
import { createRandom, type Random } from './random.ts';
import { drawBadge } from './text.ts';
import { type Composition, type Theme, TONE_SHARE } from './theme.ts';

interface Size {
  width: number;
  height: number;
}

/** @typeParam Picture pixels, or the file that holds them */
export type PaintRequest<Picture = Pixels> = Size & { theme: Theme; references: readonly Picture[] } & (
    | { kind: 'still'; isTransparent: boolean }
    /** The layers of a clip, from the ground to what is near, and one that does not move. */
    | { kind: 'layers' }
    /** What lies over a clip: the color of the prompt where it edits one, the references and the badge. */
    | { kind: 'overlay'; isToned: boolean }
    /** Where there is a mask, only what is white in it changes. */
    | { kind: 'edit'; isTransparent: boolean; base: Picture; mask: Picture | null }
  );

const COMPOSITIONS = {
  landscape,
  'still life': stillLife,
  abstract,
  typography,
} satisfies Record<Composition, (theme: Theme, random: Random) => LayeredPicture>;

/** What a painter process runs. */
export function paint(request: PaintRequest): Pixels[] {
  const { width, height, theme, references } = request;
  const stage: Stage = {
    width,
    height,
    unit: Math.sqrt(width * height) / 1000,
    random: createRandom(theme.seed),
  };
  const draw = (act: (context: Context) => void): Pixels => {
    const { canvas, context } = newCanvas(width, height);
    act(context);
    return readPixels(canvas);
  };
  const drawNotes = (context: Context): void => {
    drawReferences(context, stage, references);
    drawBadge(context, stage);
  };
  switch (request.kind) {
    case 'still': {
      const { ground, layers } = COMPOSITIONS[theme.composition](theme, stage.random);
      const isOpaque = !request.isTransparent;
      return [
        draw((context) => {
          for (const layer of isOpaque ? [ground, ...layers] : layers) layer(context, stage);
          if (isOpaque) finish(context, stage, true);
          drawNotes(context);
        }),
      ];
    }
    case 'layers': {
      const { ground, layers } = COMPOSITIONS[theme.composition](theme, stage.random);
      const still = (context: Context): void => {
        finish(context, stage, false);
        drawNotes(context);
      };
      return [ground, ...layers, still].map((layer) => draw((context) => layer(context, stage)));
    }
    case 'overlay':
      return [
        draw((context) => {
          if (request.isToned) fillAll(context, stage, alpha(theme.palette.accent, TONE_SHARE));
          drawNotes(context);
        }),
      ];
    case 'edit': {
      const { base, mask } = request;
      const edited = draw((context) => {
        context.drawImage(toCanvas(base), 0, 0);
        drawTone(context, stage, theme);
        if (request.isTransparent && !hasTransparency(base)) keepOval(context, stage);
        drawNotes(context);
      });
      return [mask ? blend(base, edited, mask) : edited];
    }
  }
}

/** Both pictures byte by byte, in the shares that the mask says. */
function blend(base: Pixels, edited: Pixels, mask: Pixels): Pixels {
  const rgba = edited.rgba.slice();
  for (let at = 0; at < rgba.length; at += 1) {
    const share = (mask.rgba[at - (at % 4)] ?? 0) / 255;
    rgba[at] = Math.round((base.rgba[at] ?? 0) * (1 - share) + (edited.rgba[at] ?? 0) * share);
  }
  return { ...edited, rgba };
}

function drawTone(context: Context, stage: Stage, theme: Theme): void {
  context.save();
  context.globalCompositeOperation = 'source-atop';
  fillAll(context, stage, alpha(theme.palette.accent, TONE_SHARE));
  context.restore();
}

function hasTransparency({ rgba }: Pixels): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return true;
  return false;
}

/** Finding a subject needs a model, so an oval in the middle is kept. */
function keepOval(context: Context, { width, height }: Stage): void {
  context.save();
  context.globalCompositeOperation = 'destination-in';
  context.beginPath();
  context.ellipse(width / 2, height / 2, width * 0.47, height * 0.47, 0, 0, Math.PI * 2);
  context.fill();
  context.restore();
}

/** A strip of the given pictures above the lower edge, in their own shape. */
function drawReferences(context: Context, { width, height, unit }: Stage, references: readonly Pixels[]): void {
  if (references.length === 0) return;
  const gap = 14 * unit;
  const shares = references.map((picture) => Math.min(2.4, Math.max(0.4, picture.width / picture.height)));
  const room = width * 0.9 - gap * (references.length - 1);
  const rowHeight = Math.min(height * 0.4, room / shares.reduce((sum, share) => sum + share, 0));
  const total = shares.reduce((sum, share) => sum + share * rowHeight, gap * (references.length - 1));
  let x = (width - total) / 2;
  const y = height * 0.48 - rowHeight / 2;
  for (const [index, picture] of references.entries()) {
    const boxWidth = (shares[index] ?? 1) * rowHeight;
    context.save();
    context.shadowColor = '#00000080';
    context.shadowBlur = 26 * unit;
    context.shadowOffsetY = 8 * unit;
    context.fillStyle = '#ffffff';
    context.beginPath();
    context.roundRect(x - 3 * unit, y - 3 * unit, boxWidth + 6 * unit, rowHeight + 6 * unit, 9 * unit);
    context.fill();
    context.shadowColor = '#00000000';
    context.beginPath();
    context.roundRect(x, y, boxWidth, rowHeight, 7 * unit);
    context.clip();
    const scale = Math.max(boxWidth / picture.width, rowHeight / picture.height);
    const [shownWidth, shownHeight] = [picture.width * scale, picture.height * scale];
    context.drawImage(
      toCanvas(picture),
      x + (boxWidth - shownWidth) / 2,
      y + (rowHeight - shownHeight) / 2,
      shownWidth,
      shownHeight,
    );
    context.restore();
    x += boxWidth + gap;
  }
}
