import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatUsd } from '#contract/money/money.ts';
import { PRICES, findPrice } from '#contract/money/pricing.ts';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { formatProblem } from '#server/platform/core/validation-problems.ts';
import { readEngines, loadEngines } from './read-engines.ts';

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
/** A file whose only model runs on an engine that overrides the painter's properties. */
const withEngine = (changes: object) => ({
  engines: { painter: { ...painter, ...changes } },
  models: { 'imgmodel-a-2': { engine: 'painter' } },
});

describe('the engines file', () => {
  test('may be empty', () => {
    expect(setUp({})).toEqual({ engines: [], off: { tasks: [], models: [] }, prices: PRICES });
  });

  test('assigns models and tasks to engines', () => {
    const { engines } = setUp({
      engines: { painter: { ...painter, deadline_seconds: 90 } },
      models: {
        'imgmodel-a-2': { engine: 'painter', model: 'p1' },
        'imgmodel-b-2': { engine: 'painter', tasks: { 'image.edit': { outputs: 'answer.edited' } } },
      },
      tasks: { 'social.search': { engine: 'painter', data: 'answer' } },
    });
    expect(engines.map(({ name, deadlineMs }) => [name, deadlineMs])).toEqual([
      ['painter/image.create/imgmodel-a-2', 90_000],
      ['painter/image.edit/imgmodel-a-2', 90_000],
      ['painter/image.edit/imgmodel-b-2', 90_000],
      ['painter/social.search', 90_000],
    ]);
    const runs = (task: 'image.create' | 'image.edit', model: 'imgmodel-a-2' | 'imgmodel-b-2') =>
      engines.some((engine) => engine.supports(task, model));
    expect([runs('image.create', 'imgmodel-b-2'), runs('image.edit', 'imgmodel-b-2')]).toEqual([false, true]);
  });

  test('takes masks only where a request names them, or the adapter sends them by itself', () => {
    const masked = {
      ...painter,
      submit: { path: '/paint', body: '{ "prompt": input.prompt, "mask": $file("mask") }' },
    };
    const { engines } = setUp({
      engines: { painter, masked, open: { adapter: 'openai', api_key_env: 'PAINTER_KEY' } },
      models: {
        'imgmodel-a-2': { engine: 'painter' },
        'imgmodel-b-2': { engine: 'masked' },
        'imgmodel-b-pro': { engine: 'open', model: 'gpt-image-1' },
      },
    });
    const restricted = engines.filter(({ restrictions }) => restrictions?.some(({ field }) => field === 'mask'));
    expect(restricted.map(({ name }) => name)).toEqual(['painter/image.edit/imgmodel-a-2']);
  });

  test('assigns all supported tasks of the model when none are named', () => {
    const { engines } = setUp({
      engines: { open: { adapter: 'openai', api_key_env: 'PAINTER_KEY' } },
      models: { 'imgmodel-a-2': { engine: 'open', model: 'gpt-image-1' } },
    });
    expect(engines.map(({ name }) => name)).toEqual(['open/image.create/imgmodel-a-2', 'open/image.edit/imgmodel-a-2']);
  });

  test('switches tasks and models off and changes prices', () => {
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

describe('problems are reported with their path', () => {
  const ok = withEngine({});
  test.each<[string, unknown, string | RegExp]>([
    ['no object', [], /must be an object\.$/],
    ['unknown property', { model: {} }, 'model: Unknown field “model”.'],
    ['unknown model', { models: { 'gpt-9': { engine: 'x' } } }, 'models.gpt-9: Unknown field “gpt-9”.'],
    ['unknown task switched off', { off: { tasks: ['image.paint'] } }, /^off\.tasks\.0: .*one of image\.create/],
    [
      'video task at OpenAI',
      {
        engines: { open: { adapter: 'openai', api_key_env: 'PAINTER_KEY' } },
        models: { 'omni-video': { engine: 'open', model: 'sora-2' } },
      },
      /^models\.omni-video: cannot run video\.create at OpenAI, which shut down its Videos API on 2026-09-24/,
    ],
    ['unknown adapter', withEngine({ adapter: 'magic' }), /^engines\.painter\.adapter: .*one of .*http/],
    ['unknown option', withEngine({ sbmit: {} }), /^engines\.painter\.sbmit is not an option of the adapter http/],
    [
      'unknown nested option',
      withEngine({ submit: { path: '/x', verb: 'POST' } }),
      'engines.painter.submit.verb: Unknown field “verb”.',
    ],
    [
      'missing option',
      JSON.parse(JSON.stringify(withEngine({ submit: undefined }))),
      'models.imgmodel-a-2.submit: Submit is required.',
    ],
    [
      'option of a task',
      { ...ok, models: { 'imgmodel-a-2': { engine: 'painter', tasks: { 'image.edit': { outputs: 7 } } } } },
      'models.imgmodel-a-2.tasks.image.edit.outputs: Outputs must be text.',
    ],
    [
      'invalid JSONata',
      withEngine({ outputs: 'answer.(' }),
      /“outputs”, which is not a JSONata expression at character 8/,
    ],
    [
      'invalid JSONata in a path',
      withEngine({ submit: { path: '/a/{{ b. }}' } }),
      /“submit\.path”, which is not a JSONata/,
    ],
    [
      'invalid base URL',
      withEngine({ base_url: 'painter.example' }),
      /^engines\.painter\.base_url must look like https:/,
    ],
    [
      'missing key for the default base URL',
      { engines: { open: { adapter: 'openai' } } },
      'engines.open.api_key_env is missing: the environment variable that contains the key.',
    ],
    ['missing base URL', withEngine({ base_url: undefined }), /^engines\.painter\.base_url is missing/],
    ['unknown engine', { models: { 'imgmodel-a-2': { engine: 'pianist' } } }, /“pianist”, which is not among/],
    [
      'task of another model',
      { ...ok, models: { 'imgmodel-a-2': { engine: 'painter', tasks: { 'video.create': {} } } } },
      /^models\.imgmodel-a-2\.tasks\.video\.create is not a task of this model/,
    ],
    [
      'task with models',
      { ...ok, tasks: { 'image.create': { engine: 'painter' } } },
      /^tasks\.image\.create is a task/,
    ],
    [
      'task that the adapter does not support',
      {
        engines: { open: { adapter: 'openai', api_key_env: 'PAINTER_KEY' } },
        models: { 'lipsync-v3': { engine: 'open', model: 'x' } },
      },
      /^models\.lipsync-v3\.engine is open, which supports no task/,
    ],
    [
      'key variable that is not set',
      withEngine({ api_key_env: 'OTHER_KEY' }),
      /api_key_env is OTHER_KEY, which is not set\./,
    ],
    [
      'invalid key',
      withEngine({ api_key_env: 'BLANK_KEY' }),
      /api_key_env is BLANK_KEY, whose value is not an API key\./,
    ],
    [
      'price of another model',
      { prices: [{ task: 'video.trim', model: 'omni-video' }] },
      /^prices\.0\.model is omni-video/,
    ],
    ['price without a model', { prices: [{ task: 'image.create' }] }, /^prices\.0\.model is missing: each model has/],
    [
      'duplicate price',
      { prices: [{ task: 'video.trim' }, { task: 'video.trim' }] },
      /^prices\.1\.task: already has a price/,
    ],
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
      'price below its minimum',
      { prices: [{ task: 'image.create', model: 'imgmodel-a-2', unit_price_usd: '0.01' }] },
      /is below the published minimum/,
    ],
    [
      'multiplier of an unpriced option',
      { prices: [{ task: 'image.create', model: 'imgmodel-a-2', multipliers: { prompt: { x: '2' } } }] },
      /^prices\.0\.multipliers\.prompt is not an option of image\.create; the options are: .*resolution/,
    ],
    [
      'multiplier of auto',
      { prices: [{ task: 'image.create', model: 'imgmodel-a-2.5-flare', multipliers: { quality: { auto: '2' } } }] },
      /^prices\.0\.multipliers\.quality\.auto is not among the priced options: low, medium/,
    ],
  ])('%s', (_name, file, line) => {
    expect(problems(file)).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  });

  test('reports all problems at once', () => {
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
])('rejects a key %s without quoting it', (_name, file, path) => {
  const text = problems(file).join('\n');
  expect(text).toContain(path);
  expect(text).toContain('environment variable');
  expect(text).not.toContain(KEY);
});

test('prose is not mistaken for a key', () => {
  const body = '{ "words": "Key characteristics of sk-scandinavian-kitchens: Token representations" }';
  expect(problems(withEngine({ submit: { path: '/p', body } }))).toEqual([]);
});

describe('loading the file', () => {
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

  test('reads the named file', async () => {
    expect((await load(JSON.stringify(withEngine({})))).engines).toHaveLength(2);
  });

  test('accepts a missing file unless it is named', async () => {
    expect((await load(null, false)).engines).toEqual([]);
    await expect(load(null)).rejects.toThrow(/^ENGINES_FILE .*engines\.json can’t be read\.$/);
  });

  test('lists all problems without quoting a file that is not JSON', async () => {
    const wrong = load(JSON.stringify({ ...withEngine({ outputs: 1 }), off: { models: ['x'] } }));
    await expect(wrong).rejects.toThrow(ConfigError);
    await expect(wrong).rejects.toThrow(/^ENGINES_FILE .*engines\.json is invalid:\n/);
    await expect(load(`{ "key": "${KEY}" oops }`)).rejects.toThrow(/^ENGINES_FILE .*engines\.json is not valid JSON/);
    await expect(load(`{ "key": "${KEY}" oops }`)).rejects.not.toThrow(new RegExp(KEY));
  });
});
