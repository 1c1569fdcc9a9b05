import { describe, expect, it } from 'vitest';
import { type ExpressionUsage, createExpressions } from './expressions.ts';
import { collectNames } from './template-names.ts';

const expressions = createExpressions(600);
const key = { key_id: 'key' };
const scope = { input: { n: 2, list: [{ n: 1 }, { n: 2 }], none: null }, steps: { a: { output: { assets: [1, 2] } } } };
const fill = async (json: unknown) => (await expressions.evaluate([{ json }], scope, key))[0];
const valueOf = async (json: unknown) => {
  const filled = await fill(json);
  return filled?.ok ? filled.value : filled;
};

describe('a template', () => {
  it.each<[unknown, unknown]>([
    ['plain', 'plain'],
    ['{{ input.n }}', 2],
    ['{{ input.list }}', [{ n: 1 }, { n: 2 }]],
    ['no. {{ input.n }} of {{ $count(steps.a.output.assets) }}{{ input.missing }}', 'no. 2 of 2'],
    ['{{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
    ['{{ "{{" }} as it is', '{{ as it is'],
    [{ a: '{{ input.missing }}', b: ['{{ input.missing }}', '{{ input.none }}', 1] }, { b: [null, 1] }],
    ['{{ input.list[n = $input.n] }}', { n: 2 }],
    ['{{ input.missing }}', undefined],
  ])('%j gives %j', async (template, expected) => {
    expect(await valueOf(template)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['{{ input.n + "x" }}', '“input.n + "x"” can’t be evaluated:'],
    ['{{ $error("Give two names.") }}', 'Give two names.'],
    ['{{ ( }}', '“(” is not a JSONata expression'],
    ['{{ "a }}', 'This is not a JSONata expression'],
  ])('%s fails with a message', async (template, message) => {
    const filled = await fill(template);
    expect(filled?.ok === false && filled.message.startsWith(message)).toBe(true);
  });

  it.each([
    ['runs for ever', '($f := function(){ $f() }; $f())'],
    ['matches for ever', '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)'],
    ['hides that', '$eval("$match(\'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\', /^(a+)+$/)")'],
    ['doubles a text', '$reduce([1..40], function($a) { $a & $a }, "ten letters")'],
    ['pads a text', '$pad("x", 400000000)'],
    ['joins long texts', '$join($map([1..90000], function() { "" }), $pad("x", 900000))'],
    ['writes one text many times', '$string($map([1..90000], function() { $pad("x", 900000) }))'],
    ['makes lists of lists', '$map([1..90000], function() { [1..90000] })'],
  ])('that %s is stopped, and later ones are still evaluated', async (_what, expression) => {
    const [filled] = await expressions.evaluate([{ expression }], scope, key);
    expect(filled?.ok).toBe(false);
    expect(await valueOf('{{ input.n }}')).toBe(2);
  });
});

it('expressions with a common budget stop when it is used up; time in the queue does not count', async () => {
  const busy = '$count($map([1..20000], function($n) { $n }))';
  const budget = { remainingMs: 60_000 };
  const own = expressions.evaluate([{ expression: 'input.n' }], scope, { ...key, budget });
  const [first] = await Promise.all([own, expressions.evaluate([{ expression: busy }], scope, key)]);
  expect(first).toEqual([{ ok: true, value: 2 }]);
  expect(budget.remainingMs).toBeLessThan(60_000);
  const spent = { remainingMs: 0 };
  expect((await expressions.evaluate([{ expression: 'input.n' }], scope, { ...key, budget: spent }))[0]?.ok).toBe(
    false,
  );
  expect(await valueOf('{{ input.n }}')).toBe(2);
});

/** Matches until the deadline ends the thread. */
const endless = '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)';

describe('keys', () => {
  const slow = (key_id: string) => expressions.evaluate([{ expression: endless }], scope, { key_id });

  it('are served while another key has many slow expressions', async () => {
    const finished: string[] = [];
    const ofOne = Array.from({ length: 5 }, () => slow('one').then(() => finished.push('one')));
    await expressions.evaluate([{ expression: 'input.n' }], scope, { key_id: 'two' }).then(() => finished.push('two'));
    // The second thread may take as long to start as the first takes to end.
    expect(finished.length).toBeLessThanOrEqual(3);
    await Promise.all(ofOne);
  });

  it('take turns while two other keys have slow expressions', async () => {
    const finished: string[] = [];
    const others = ['one', 'two', 'one', 'two', 'one'].map((key) => slow(key).then(() => finished.push(key)));
    await expressions.evaluate([{ expression: 'input.n' }], scope, { key_id: 'three' });
    expect(finished.length).toBeLessThanOrEqual(4);
    await Promise.all(others);
  });

  it('have at most 20 waiting requests, except for runs', async () => {
    const work = (usage: ExpressionUsage) => expressions.evaluate([{ expression: 'input.n' }], scope, usage);
    const one = { key_id: 'one' };
    const waiting = [slow('one'), ...Array.from({ length: 20 }, () => work(one))];
    await expect(work(one)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      status: 429,
      retry_after_seconds: 5,
    });
    const allowed = await Promise.all([work({ key_id: 'two' }), work({ ...one, isRun: true })]);
    expect(allowed).toEqual([[{ ok: true, value: 2 }], [{ ok: true, value: 2 }]]);
    await Promise.all(waiting);
  });
});

describe('names', () => {
  it.each<[string, string[], string[]]>([
    ['steps.a.output.assets[0]', ['a'], []],
    ['$$.steps.a.x & $steps.b.y & $.steps.c', ['a', 'b', 'c'], []],
    ['steps.a.list[n = $input.n and input.m].(steps.z)', ['a'], ['n']],
    ['input.x ? steps.a.y : [input.z]', ['a'], ['x', 'z']],
    ['$map(steps.a.items, function($v) { $v.b & input.q })', ['a'], ['q']],
  ])('in %s are those that it sees at the root', (expression, steps, input) => {
    const names = collectNames([expression]);
    expect([[...names.steps].sort(), [...names.input].sort(), names.allSteps]).toEqual([steps, input, false]);
  });

  it.each(['$lookup(steps, "a")', 'steps.*.output', '$$', '$'])('in %s may refer to any step', (expression) => {
    expect(collectNames([expression]).allSteps).toBe(true);
  });
});
