import { expect, it } from 'vitest';
import { MOVEMENTS, toggleMovement } from './movements.ts';

const [pushIn, pullOut] = MOVEMENTS as [(typeof MOVEMENTS)[0], (typeof MOVEMENTS)[0]];

it('writes a movement into an empty prompt and after a sentence', () => {
  expect(toggleMovement('', pushIn)).toBe('The camera slowly pushes in.');
  expect(toggleMovement('Rain falls', pushIn)).toBe('Rain falls. The camera slowly pushes in.');
  expect(toggleMovement('Rain falls!', pushIn)).toBe('Rain falls! The camera slowly pushes in.');
});

it('replaces the movement where it stands', () => {
  expect(toggleMovement('The camera slowly pushes in. Rain falls.', pullOut)).toBe(
    'The camera slowly pulls out. Rain falls.',
  );
});

it('removes the movement that is there', () => {
  expect(toggleMovement('Rain falls. The camera slowly pushes in. Wind.', pushIn)).toBe('Rain falls. Wind.');
  expect(toggleMovement('The camera slowly pushes in.', pushIn)).toBe('');
});
