import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Ada King-Noel', 'AK'],
  ['Juan Carlos de la Vega', 'JV'],
  ['  prince  ', 'P'],
  ['élodie ørsted', 'ÉØ'],
  ['王 小明', '王小'],
  ['👩🏽‍🚀', '👩🏽‍🚀'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials));
