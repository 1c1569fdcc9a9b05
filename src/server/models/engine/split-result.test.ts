import { expect, it } from 'vitest';
import { MAX_OUTPUTS } from './save-outputs.ts';
import { splitResult } from './split-result.ts';

const at = (name: string) => `https://files.test/${name}`;
const BASE = 'http://127.0.0.1:1/v1';

it('separates media and files of unknown kind from other files and data', () => {
  const mesh = { url: at('a1b2'), file_name: 'pear.glb' };
  const result = { image: { url: at('a.png') }, mask: at('b'), mesh, zip: at('c.zip?sig=1'), seed: 7 };
  expect(splitResult(result, BASE)).toEqual({
    urls: [at('a.png'), at('b')],
    data: {
      seed: 7,
      other_files: [
        { name: 'pear.glb', url: at('a1b2') },
        { name: 'c.zip', url: at('c.zip?sig=1') },
      ],
    },
  });
});

it('names a result that is no object', () => {
  expect(splitResult('Once upon', BASE)).toEqual({ urls: [], data: { output: 'Once upon' } });
  expect(splitResult([0.5, 1], BASE)).toEqual({ urls: [], data: { output: [0.5, 1] } });
  expect(splitResult(null, BASE)).toEqual({ urls: [], data: null });
  expect(splitResult(['http://127.0.0.1:1/a.png'], BASE)).toEqual({ urls: ['http://127.0.0.1:1/a.png'], data: null });
});

it('lists files beyond those that one job can save', () => {
  const { urls, data } = splitResult(
    Array.from({ length: MAX_OUTPUTS + 1 }, (_, index) => at(`${index}.png`)),
    BASE,
  );
  expect(urls).toHaveLength(MAX_OUTPUTS);
  expect(data).toEqual({ other_files: [{ name: `${MAX_OUTPUTS}.png`, url: at(`${MAX_OUTPUTS}.png`) }] });
});
