export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Size {
  x: number;
  y: number;
}

/** What is done to an upright picture: cropped, turned, then mirrored. */
export interface PictureEdit {
  /** In pixels of the upright picture. */
  crop: Rect;
  /** Clockwise. */
  quarters: number;
  isMirrored: boolean;
  /** Width to height of what is shown; null: free. */
  ratio: string | null;
  /** Of the result; null: as cropped. */
  width: number | null;
}

const MIN_SIDE = 16;

export const fullEdit = ({ width, height }: Size): PictureEdit => ({
  crop: { x: 0, y: 0, width, height },
  quarters: 0,
  isMirrored: false,
  ratio: null,
  width: null,
});

export const shownSize = ({ width, height }: Size, { quarters }: Pick<PictureEdit, 'quarters'>): Size =>
  quarters % 2 === 0 ? { width, height } : { width: height, height: width };

const turnRect = ({ x, y, width, height }: Rect, within: Size): Rect => ({
  x: within.height - y - height,
  y: x,
  width: height,
  height: width,
});

function turnTimes(rect: Rect, within: Size, times: number): Rect {
  if (times === 0) return rect;
  return turnTimes(turnRect(rect, within), { width: within.height, height: within.width }, times - 1);
}

const mirror = (rect: Rect, within: Size): Rect => ({ ...rect, x: within.width - rect.x - rect.width });

type Turn = Pick<PictureEdit, 'quarters' | 'isMirrored'>;

/** A part of the picture as it is shown. */
export function toShown(rect: Rect, picture: Size, turn: Turn): Rect {
  const turned = turnTimes(rect, picture, turn.quarters);
  return turn.isMirrored ? mirror(turned, shownSize(picture, turn)) : turned;
}

/** The reverse of `toShown`. */
export function fromShown(rect: Rect, picture: Size, turn: Turn): Rect {
  const shown = shownSize(picture, turn);
  return turnTimes(turn.isMirrored ? mirror(rect, shown) : rect, shown, (4 - turn.quarters) % 4);
}

/** Whole pixels inside of the picture. */
export function clampRect(rect: Rect, within: Size): Rect {
  const width = Math.min(within.width, Math.max(Math.min(MIN_SIDE, within.width), Math.round(rect.width)));
  const height = Math.min(within.height, Math.max(Math.min(MIN_SIDE, within.height), Math.round(rect.height)));
  const x = Math.min(Math.max(0, Math.round(rect.x)), within.width - width);
  const y = Math.min(Math.max(0, Math.round(rect.y)), within.height - height);
  return { x, y, width, height };
}

/** As the selection of `ReactCrop`. */
export const toPercent = ({ x, y, width, height }: Rect, within: Size) => ({
  unit: '%' as const,
  x: (100 * x) / within.width,
  y: (100 * y) / within.height,
  width: (100 * width) / within.width,
  height: (100 * height) / within.height,
});

export const fromPercent = ({ x, y, width, height }: Rect, within: Size): Rect => ({
  x: (x * within.width) / 100,
  y: (y * within.height) / 100,
  width: (width * within.width) / 100,
  height: (height * within.height) / 100,
});

/** Width ÷ height of “9:16”. */
export function parseRatio(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
}

/** The largest part with a ratio, around the middle of another part. */
export function fitRatio(around: Rect, within: Size, ratio: number): Rect {
  const width = Math.min(within.width, within.height * ratio);
  const height = width / ratio;
  const x = around.x + (around.width - width) / 2;
  const y = around.y + (around.height - height) / 2;
  return clampRect({ x, y, width, height }, within);
}

function refit(edit: PictureEdit, picture: Size): PictureEdit {
  if (edit.ratio === null) return edit;
  const shown = toShown(edit.crop, picture, edit);
  const crop = fitRatio(shown, shownSize(picture, edit), parseRatio(edit.ratio));
  return { ...edit, crop: fromShown(crop, picture, edit) };
}

export const chooseRatio = (edit: PictureEdit, picture: Size, ratio: string | null): PictureEdit =>
  refit({ ...edit, ratio }, picture);

export const turn = (edit: PictureEdit, picture: Size): PictureEdit =>
  refit({ ...edit, quarters: (edit.quarters + (edit.isMirrored ? 3 : 1)) % 4 }, picture);

/** Upside down is half a turn and a mirror. */
export const flip = (edit: PictureEdit, direction: 'horizontal' | 'vertical'): PictureEdit => ({
  ...edit,
  isMirrored: !edit.isMirrored,
  quarters: direction === 'horizontal' ? edit.quarters : (edit.quarters + 2) % 4,
});

/** Input of the task, without the picture. */
export function toTransform(edit: PictureEdit, picture: Size): Record<string, unknown> {
  const { crop, quarters, isMirrored, width } = edit;
  const isWhole = crop.width === picture.width && crop.height === picture.height;
  return {
    ...(isWhole ? {} : { crop }),
    ...(quarters === 0 ? {} : { rotate: quarters * 90 }),
    ...(isMirrored ? { flip: 'horizontal' } : {}),
    ...(width === null || width === shownSize(crop, edit).width ? {} : { resize: { width } }),
  };
}

export interface EditProps {
  picture: Size;
  edit: PictureEdit;
  set: (edit: PictureEdit) => void;
}

/** Cuts what is shown to a part of it. */
export const withShownCrop = ({ picture, edit }: EditProps, shown: Rect): PictureEdit => ({
  ...edit,
  crop: fromShown(clampRect(shown, shownSize(picture, edit)), picture, edit),
});
