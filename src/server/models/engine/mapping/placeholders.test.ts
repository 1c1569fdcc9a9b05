import { describe, expect, it } from 'vitest';
import { MappingSyntaxError, assertGuardRuns, parseExpression } from './expression.ts';
import { splitPlaceholders } from './placeholders.ts';

const expressionsOf = (text: string): string[] =>
  splitPlaceholders(text).flatMap((part) => (typeof part === 'string' ? [] : [part.expression]));

describe('splitting placeholders', () => {
  it.each([
    '"}}"',
    "'\\\\' & '}}'",
    '`}}`',
    '"\\\\"',
    '/* }} */ 1',
    '$match(a, /{}}{\\/[{}]/i)',
    '$contains(a, /\\}\\}\\\\/)',
    '{"a":{"b":{"c":1}}}',
    'a{b: {"c": d}}',
    '$map(a, function($v) { {"x": {"y": $v}} })',
    'a / 2 & "}}" & b / 3',
    '(a) / 2 & "}}" & b[0] / 3',
    '$x / 2 & "/"',
    'a.b.% / 2 & "/}}"',
    '* / 2 & "/}}"',
    '** / 2 & "/}}"',
    'and / 2 & "/}}"',
    'a and "/" in b',
    'a.**.b * 2',
    '1.5e3 / 2',
    '[1..3][$ > 1] / 2',
    '$ ~> |a|{"b": {"c": 1}}|',
    'a ? "}}" : b ?: "{{"',
  ])('is behind %s', (expression) => {
    parseExpression(expression);
    expect(expressionsOf(`{{${expression}}}`)).toEqual([expression]);
    expect(splitPlaceholders(`a {{ ${expression} }}b{{${expression}}}`)).toEqual([
      'a ',
      { expression: ` ${expression} ` },
      'b',
      { expression },
    ]);
  });

  it.each([
    ['{{ 1', 'has a {{ without its }}'],
    ['{{ "a }}', 'is not a JSONata expression'],
    ['{{ /* }}', 'is not a JSONata expression'],
    ['{{ $match(a, /b }}', 'is not a JSONata expression'],
    ['{{ `a }}', 'is not a JSONata expression'],
  ])('of %s is missing', (text, message) => {
    expect(() => splitPlaceholders(text)).toThrow(MappingSyntaxError);
    expect(() => splitPlaceholders(text)).toThrow(message);
  });

  it('ends an expression with unbalanced brackets at the next }}', () => {
    expect(expressionsOf('{{ ( }} and {{ ] }}')).toEqual([' ( ', ' ] ']);
  });
});

describe('the guard of expressions', () => {
  it('is called by the installed version of jsonata', async () => {
    await expect(assertGuardRuns()).resolves.toBeUndefined();
  });

  it('stops the start when it is not called', async () => {
    const unknown = Symbol.for('jsonata.unknown') as unknown as string;
    await expect(assertGuardRuns(unknown)).rejects.toThrow('does not call the guard');
  });
});
