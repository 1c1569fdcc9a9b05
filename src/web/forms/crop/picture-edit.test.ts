import { expect, it } from 'vitest';
import {
  chooseRatio,
  flip,
  fromShown,
  fullEdit,
  toShown,
  toTransform,
  turn,
  type PictureEdit,
} from './picture-edit.ts';

const PICTURE = { width: 80, height: 40 };
const PART = { x: 4, y: 2, width: 20, height: 10 };
const start = fullEdit(PICTURE);

it('shows a part where it is after turns and mirrors, and finds it again', () => {
  expect(toShown(PART, PICTURE, { quarters: 1, isMirrored: false })).toEqual({ x: 28, y: 4, width: 10, height: 20 });
  expect(toShown(PART, PICTURE, { quarters: 0, isMirrored: true })).toEqual({ x: 56, y: 2, width: 20, height: 10 });
  for (const quarters of [0, 1, 2, 3])
    for (const isMirrored of [false, true]) {
      const edit = { quarters, isMirrored };
      expect(fromShown(toShown(PART, PICTURE, edit), PICTURE, edit)).toEqual(PART);
    }
});

it('turns what is shown clockwise, mirrored or not', () => {
  const edits = [start, flip(start, 'horizontal'), flip(start, 'vertical'), turn(flip(start, 'vertical'), PICTURE)];
  for (const edit of edits) {
    const before = toShown(PART, PICTURE, edit);
    const height = edit.quarters % 2 === 0 ? PICTURE.height : PICTURE.width;
    const turned = toShown(PART, PICTURE, turn(edit, PICTURE));
    expect(turned).toEqual({
      x: height - before.y - before.height,
      y: before.x,
      width: before.height,
      height: before.width,
    });
  }
  const around = [1, 2, 3, 4].reduce((edit: PictureEdit) => turn(edit, PICTURE), start);
  expect(around).toEqual(start);
});

it('mirrors what is shown upside down', () => {
  const { y } = toShown(PART, PICTURE, flip(start, 'vertical'));
  expect(y).toBe(PICTURE.height - PART.y - PART.height);
  expect(flip(flip(start, 'vertical'), 'vertical')).toEqual(start);
});

it('keeps the ratio of what is shown when it turns', () => {
  const portrait = chooseRatio(start, PICTURE, '1:2');
  expect(portrait.crop).toEqual({ x: 30, y: 0, width: 20, height: 40 });
  expect(turn(portrait, PICTURE).crop).toEqual({ x: 0, y: 0, width: 80, height: 40 });
});

it('asks for nothing that does not change the picture', () => {
  expect(toTransform({ ...start, width: 80 }, PICTURE)).toEqual({});
  const all = { ...turn({ ...start, crop: PART }, PICTURE), isMirrored: true, width: 30 };
  expect(toTransform(all, PICTURE)).toEqual({ crop: PART, rotate: 90, flip: 'horizontal', resize: { width: 30 } });
});
