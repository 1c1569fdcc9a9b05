import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatUsd } from '#contract/money.ts';
import { PRICES, findPrice } from '#contract/pricing.ts';
import { ConfigError } from '#server/core/config.ts';
import { createFetcher } from '#server/net/fetcher.ts';
import { loadEngines } from './load-engines.ts';
import { formatProblem } from '#server/core/validation-problems.ts';
import { readEngines } from './read-engines.ts';

const KEY = 'sk-proj-0123456789abcdefghij';
const deps = {
  openService: createFetcher().createService,
  readEnv: (name: string) => ({ PAINTER_KEY: 'a-secret', BLANK_KEY: 'two words' })[name] ?? null,
};
const painter = {
  adapter: 'http',
  base_url: 'https://painter.example/api',
  api_key_env: 'PAINTER_KEY',
  submit: { path: '/paint', body: '{ "prompt": input.prompt }' },
  outputs: 'answer.url',
};
const setUp = (file: unknown) => {
  const read = readEngines(file, deps);
  if (!read.ok) throw new Error(read.problems.map(formatProblem).join(' '));
  return read.setup;
};
const problems = (file: unknown): string[] => {
  const read = readEngines(file, deps);
  return read.ok ? [] : read.problems.map(formatProblem);
};
/** A file with one model on an engine that differs from the painter. */
const withEngine = (changes: object) => ({
  engines: { painter: { ...painter, ...changes } },
  models: { 'imgmodel-a-2': { engine: 'painter' } },
});

describe('a file', () => {
  test('may say nothing', () => {
    expect(setUp({})).toEqual({ engines: [], off: { tasks: [], models: [] }, prices: PRICES });
  });

  test('puts models and tasks on engines, task by task', () => {
    const { engines } = setUp({
      engines: { painter: { ...painter, deadline_seconds: 90 } },
      models: {
        'imgmodel-a-2': { engine: 'painter', model: 'p1' },
        'imgmodel-b-2': { engine: 'painter', tasks: { 'image.edit': { outputs: 'answer.edited' } } },
      },
      tasks: { 'social.search': { engine: 'painter', data: 'answer' } },
    });
    expect(engines.map(({ name, deadline_ms }) => [name, deadline_ms])).toEqual([
      ['painter/image.create/imgmodel-a-2', 90_000],
      ['painter/image.edit/imgmodel-a-2', 90_000],
      ['painter/image.edit/imgmodel-b-2', 90_000],
      ['painter/social.search', 90_000],
    ]);
    const runs = (task: 'image.create' | 'image.edit', model: 'imgmodel-a-2' | 'imgmodel-b-2') =>
      engines.some((engine) => engine.supports(task, model));
    expect([runs('image.create', 'imgmodel-b-2'), runs('image.edit', 'imgmodel-b-2')]).toEqual([false, true]);
  });

  test('without named tasks, an engine takes those of the model that it can do', () => {
    const { engines } = setUp({
      engines: { open: { adapter: 'openai', api_key_env: 'PAINTER_KEY' } },
      models: { 'imgmodel-a-2': { engine: 'open', model: 'gpt-image-1' } },
    });
    expect(engines.map(({ name }) => name)).toEqual(['open/image.create/imgmodel-a-2', 'open/image.edit/imgmodel-a-2']);
  });

  test('switches things off and changes prices', () => {
    const { off, prices } = setUp({
      off: { tasks: ['social.search'], models: ['imgmodel-b-pro'] },
      prices: [
        {
          task: 'image.create',
          model: 'imgmodel-a-2.5-flare',
          unit_price_usd: '0.01',
          minimum_usd: '0.005',
          multipliers: { quality: { high: '2.5' }, size: { '3840x2160': '4' } },
        },
        { task: 'social.search', minimum_usd: '0.02' },
      ],
    });
    expect(off).toEqual({ tasks: ['social.search'], models: ['imgmodel-b-pro'] });
    expect(findPrice(prices, 'image.create', 'imgmodel-a-2.5-flare')).toMatchObject({
      unit: 'image',
      unit_price_micro_usd: 10_000n,
      minimum_micro_usd: 5_000n,
      multipliers: { quality: { high: 2_500_000n }, size: { '3840x2160': 4_000_000n } },
    });
    expect(formatUsd(findPrice(prices, 'social.search', null)?.minimum_micro_usd ?? 0n)).toBe('0.02');
    expect(prices.filter((row, at) => row === PRICES[at])).toHaveLength(27);
  });
});

describe('what is wrong is told with its place, in a sentence', () => {
  const ok = withEngine({});
  test.each<[string, unknown, string | RegExp]>([
    ['no object', [], /must be an object\.$/],
    ['unknown property', { model: {} }, 'model: Unknown field “model”.'],
    ['unknown model', { models: { 'gpt-9': { engine: 'x' } } }, 'models.gpt-9: Unknown field “gpt-9”.'],
    ['unknown task switched off', { off: { tasks: ['image.paint'] } }, /^off\.tasks\.0: .*one of image\.create/],
    ['unknown adapter', withEngine({ adapter: 'magic' }), /^engines\.painter\.adapter: .*one of .*http/],
    ['unknown option', withEngine({ sbmit: {} }), /^engines\.painter\.sbmit is not known here/],
    [
      'unknown nested option',
      withEngine({ submit: { path: '/x', verb: 'POST' } }),
      'engines.painter.submit.verb: Unknown field “verb”.',
    ],
    [
      'option that is missing',
      JSON.parse(JSON.stringify(withEngine({ submit: undefined }))),
      'models.imgmodel-a-2.submit: Submit is required.',
    ],
    [
      'option of a task',
      { ...ok, models: { 'imgmodel-a-2': { engine: 'painter', tasks: { 'image.edit': { outputs: 7 } } } } },
      'models.imgmodel-a-2.tasks.image.edit.outputs: Outputs must be text.',
    ],
    ['no JSONata', withEngine({ outputs: 'answer.(' }), /“outputs”, which is not a JSONata expression at character 8/],
    ['no JSONata in a path', withEngine({ submit: { path: '/a/{{ b. }}' } }), /“submit\.path”, which is not a JSONata/],
    ['address', withEngine({ base_url: 'painter.example' }), /^engines\.painter\.base_url must look like https:/],
    [
      'no key for the usual address',
      { engines: { open: { adapter: 'openai' } } },
      'engines.open.api_key_env is missing: it names the variable that holds the key.',
    ],
    ['no address', withEngine({ base_url: undefined }), /^engines\.painter\.base_url is missing/],
    [
      'engine that is not there',
      { models: { 'imgmodel-a-2': { engine: 'pianist' } } },
      /“pianist”, which is not among/,
    ],
    [
      'task of another model',
      { ...ok, models: { 'imgmodel-a-2': { engine: 'painter', tasks: { 'video.create': {} } } } },
      /^models\.imgmodel-a-2\.tasks\.video\.create is no task of this model/,
    ],
    [
      'task that has models',
      { ...ok, tasks: { 'image.create': { engine: 'painter' } } },
      /^tasks\.image\.create is a task/,
    ],
    [
      'task that the engine can’t do',
      {
        engines: { open: { adapter: 'openai', api_key_env: 'PAINTER_KEY' } },
        models: { 'lipsync-v3': { engine: 'open', model: 'x' } },
      },
      /^models\.lipsync-v3\.engine is open, which can do nothing/,
    ],
    [
      'key that is not set',
      withEngine({ api_key_env: 'OTHER_KEY' }),
      /api_key_env is OTHER_KEY, a variable that is not set\./,
    ],
    [
      'key that is none',
      withEngine({ api_key_env: 'BLANK_KEY' }),
      /api_key_env is BLANK_KEY, whose value is no API key\./,
    ],
    ['price of nothing', { prices: [{ task: 'video.trim', model: 'omni-video' }] }, /^prices\.0\.model is omni-video/],
    ['price of no model', { prices: [{ task: 'image.create' }] }, /^prices\.0\.model is missing: each model has/],
    ['price twice', { prices: [{ task: 'video.trim' }, { task: 'video.trim' }] }, /^prices\.1\.task has a price/],
    [
      'price as a number',
      { prices: [{ task: 'video.trim', unit_price_usd: 0.1 }] },
      /^prices\.0\.unit_price_usd: .*text/,
    ],
    [
      'price below zero',
      { prices: [{ task: 'video.trim', unit_price_usd: '-1' }] },
      /must be a decimal number as text/,
    ],
    [
      'price under its minimum',
      { prices: [{ task: 'image.create', model: 'imgmodel-a-2', unit_price_usd: '0.01' }] },
      /is below the published minimum/,
    ],
    [
      'multiplier of no choice',
      { prices: [{ task: 'image.create', model: 'imgmodel-a-2', multipliers: { prompt: { x: '2' } } }] },
      /^prices\.0\.multipliers\.prompt is no choice of image\.create; these are: .*resolution/,
    ],
    [
      'multiplier of auto',
      { prices: [{ task: 'image.create', model: 'imgmodel-a-2.5-flare', multipliers: { quality: { auto: '2' } } }] },
      /^prices\.0\.multipliers\.quality\.auto is not among the options that have a price: low, medium/,
    ],
  ])('%s', (_name, file, line) => {
    expect(problems(file)).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  });

  test('all at once', () => {
    expect(
      problems({ ...withEngine({ outputs: ')' }), prices: [{ task: 'video.trim', model: 'omni-video' }] }),
    ).toHaveLength(3);
  });
});

test.each([
  ['where its name belongs', withEngine({ api_key_env: KEY }), 'engines.painter.api_key_env'],
  ['in a header', withEngine({ submit: { ...painter.submit, headers: { 'X-Api-Key': 'abc' } } }), 'headers.X-Api-Key'],
  [
    'behind its scheme',
    withEngine({ submit: { path: '/p', headers: { 'X-Auth': 'Bearer a1b2c3d4e5f6g7' } } }),
    'X-Auth',
  ],
  [
    'in an expression',
    withEngine({ submit: { path: '/p', body: `{ "k": "${KEY}" }` } }),
    'engines.painter.submit.body',
  ],
])('a key %s is refused and not repeated', (_name, file, path) => {
  const said = problems(file).join('\n');
  expect(said).toContain(path);
  expect(said).toContain('environment variable');
  expect(said).not.toContain(KEY);
});

test('words are no keys', () => {
  const body = '{ "words": "Key characteristics of sk-scandinavian-kitchens: Token representations" }';
  expect(problems(withEngine({ submit: { path: '/p', body } }))).toEqual([]);
});

describe('the file on disk', () => {
  const load = async (text: string | null, named = true) => {
    const folder = await mkdtemp(join(tmpdir(), 'emulsion-engines-'));
    const file = join(folder, 'engines.json');
    try {
      if (text !== null) await writeFile(file, text);
      return await loadEngines(named ? file : null, deps);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('is read', async () => {
    expect((await load(JSON.stringify(withEngine({})))).engines).toHaveLength(2);
  });

  test('need not be there unless it is named', async () => {
    expect((await load(null, false)).engines).toEqual([]);
    await expect(load(null)).rejects.toThrow(/^ENGINES_FILE .*engines\.json can’t be read\.$/);
  });

  test('stops the start with all that is wrong, and no word of what no JSON says', async () => {
    const wrong = load(JSON.stringify({ ...withEngine({ outputs: 1 }), off: { models: ['x'] } }));
    await expect(wrong).rejects.toThrow(ConfigError);
    await expect(load(`{ "key": "${KEY}" oops }`)).rejects.toThrow(/engines\.json is not JSON/);
    await expect(load(`{ "key": "${KEY}" oops }`)).rejects.not.toThrow(new RegExp(KEY));
  });
});
