import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { EngineError } from './engine.ts';
import { MAX_OUTPUTS, saveOutputs } from './save-outputs.ts';
import { OutputLostError, UnfetchedOutputError } from './unfetched-output.ts';
import { ResponseLostError } from './upstream.ts';

let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'save-outputs-'));
});
afterAll(() => rm(workDir, { recursive: true }));

const gone = () =>
  new ResponseLostError('The provider’s response was lost.', {
    cause: new OutboundError('bad_status', 'The server responded with 404.', { status_code: 404 }),
  });
const cut = () => new ResponseLostError('The connection was lost.');
const tooLarge = () => new EngineError('engine_failed', 'The output can’t be fetched: It is too large.');

/** Saves outputs, of which some fail. */
async function save(failures: readonly (Error | null)[], { signal = new AbortController().signal } = {}) {
  const http = {
    async download(url: string, file: string) {
      const failure = failures[Number(new URL(url).pathname.match(/\d+/)?.[0])];
      if (failure) throw failure;
      await writeFile(file, url);
    },
    redact: (text: string) => text.replaceAll('secret', '•••'),
  };
  const outputs = failures.map((_, index) => ({ url: `https://user:pw@media.test/secret/${index}.png?sig=abc#x` }));
  return saveOutputs(http, outputs, { workDir, signal });
}
const failureOf = (saving: Promise<unknown>): Promise<unknown> =>
  saving.then(
    () => expect.fail('It did not fail.'),
    (error: unknown) => error,
  );

describe('outputs that can’t be fetched', () => {
  it.each([
    ['are gone', gone()],
    ['are too large or lead to a private address', tooLarge()],
  ])('need a review when they %s, and name their address without its secrets', async (_title, failure) => {
    const error = await failureOf(save([failure]));
    expect(error).toBeInstanceOf(UnfetchedOutputError);
    const { message } = error as Error;
    expect(message).toContain('https://media.test/•••/0.png or at the provider');
    expect(message).not.toMatch(/sig=|pw@|secret/);
  });

  it('do not keep the others from being saved', async () => {
    const error = await failureOf(save([null, gone(), null]));
    const { files } = error as UnfetchedOutputError;
    expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toMatchObject([
      expect.stringContaining('/0.png'),
      expect.stringContaining('/2.png'),
    ]);
  });

  it('are fetched again while one of them may still come', async () => {
    const error = await failureOf(save([gone(), cut()]));
    expect(error).toBeInstanceOf(OutputLostError);
    expect((error as OutputLostError).unfetched.message).toContain('2 files of its result');
  });

  it('are fetched again after a download that took too long', async () => {
    const signal = AbortSignal.abort(new DOMException('too long', 'TimeoutError'));
    expect(await failureOf(save([cut()], { signal }))).toBeInstanceOf(OutputLostError);
  });

  it('end with the reason of a shutdown', async () => {
    const reason = new Error('shutdown');
    expect(await failureOf(save([cut()], { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it('need a review beyond the largest number, with those that were fetched', async () => {
    const error = await failureOf(save(Array.from({ length: MAX_OUTPUTS + 1 }, () => null)));
    expect((error as UnfetchedOutputError).files).toHaveLength(MAX_OUTPUTS);
  });
});
