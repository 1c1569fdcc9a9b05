import { DrizzleQueryError } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createLogger } from '#server/app/compose.ts';
import { serializeError } from './serialize-error.ts';

const prompt = 'a letter\n    at my secret place (file.ts:1:1)';

const refused = () =>
  new DrizzleQueryError(
    'insert into "generations" values ($1)',
    [prompt],
    Object.assign(new Error('duplicate key value violates unique constraint "generations_pkey"'), {
      code: '23505',
      constraint: 'generations_pkey',
      detail: `Key (prompt)=(${prompt}) already exists.`,
    }),
  );

describe('an error in the log', () => {
  it('contains the query and the reason, but no parameters', () => {
    const logged = serializeError(refused());
    expect(logged).toMatchObject({
      type: 'DrizzleQueryError',
      message: 'Failed query: insert into "generations" values ($1)',
      stack: expect.stringMatching(/^at .*serialize-error\.test\.ts/) as string,
      cause: {
        code: '23505',
        constraint: 'generations_pkey',
        message: expect.stringContaining('duplicate key') as string,
      },
    });
    expect(JSON.stringify(logged)).not.toContain('secret place');
  });

  it('is redacted as a cause of another error too', () => {
    const inside = new Error('not stored', { cause: new AggregateError([refused(), new TypeError('odd')], 'both') });
    const logged = serializeError(inside);
    expect(logged).toMatchObject({
      message: 'not stored',
      cause: { errors: [{}, { type: 'TypeError', message: 'odd' }] },
    });
    expect(JSON.stringify(logged)).not.toContain('secret place');
  });

  it('stops at circular causes', () => {
    const round = new Error('round');
    round.cause = round;
    expect(JSON.stringify(serializeError(round)).match(/"round"/g)).toHaveLength(6);
  });

  it('keeps values that are not errors, and errors without a message', () => {
    expect(serializeError('plain')).toBe('plain');
    expect(serializeError(new Error(''))).toMatchObject({
      type: 'Error',
      message: '',
      stack: expect.stringMatching(/^at /) as string,
    });
  });

  it('is used by the log of the service', () => {
    const lines: string[] = [];
    createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) }).error(refused(), 'not stored');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'not stored', err: { type: 'DrizzleQueryError' } });
    expect(lines[0]).not.toContain('secret place');
  });
});
