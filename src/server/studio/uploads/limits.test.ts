import { afterEach, describe, expect, it } from 'vitest';
import {
  statusAndCode,
  createUploadFixture,
  createUploadForm,
  FORM_HEAD,
  FORM_TAIL,
  UPLOAD_LIMIT_BYTES,
  readErrorMessage,
} from './testing/upload-fixture.ts';

const bench = createUploadFixture();
const TOO_LARGE = [413, 'media_upload_too_large'];
const TOO_SLOW = [408, 'media_upload_timeout'];
const SLACK_BYTES = 1_048_576;
/** On a slow machine no limit but the one under test may be reached. */
const UNLIMITED = { uploadStallSeconds: 60, uploadTimeoutSeconds: 60 };

describe('413 media_upload_too_large', () => {
  it('for one byte more than the limit', async () => {
    expect(statusAndCode(await bench.send(createUploadForm(Buffer.alloc(UPLOAD_LIMIT_BYTES + 1))))).toEqual(TOO_LARGE);
  });

  it('for one byte more than the limit in a chunked body', async () => {
    const { outgoing, answer } = bench.openForm({ 'transfer-encoding': 'chunked' });
    outgoing.write(FORM_HEAD);
    outgoing.write(Buffer.alloc(UPLOAD_LIMIT_BYTES));
    outgoing.end(`x${FORM_TAIL}`);
    expect(statusAndCode(await answer)).toEqual(TOO_LARGE);
  });

  it('for a declared length, before a byte is sent', async () => {
    const { outgoing, answer } = bench.openForm({ 'content-length': 1e12 });
    outgoing.flushHeaders();
    expect(statusAndCode(await answer)).toEqual(TOO_LARGE);
    outgoing.destroy();
  });

  it('for an endless body soon after the limit, and closes the connection', async () => {
    const { outgoing, answer } = bench.openForm();
    outgoing.write(FORM_HEAD);
    const piece = Buffer.alloc(16_384);
    let sentBytes = 0;
    const sending = setInterval(() => {
      if (outgoing.writableNeedDrain) return;
      outgoing.write(piece);
      sentBytes += piece.length;
    }, 1);
    expect(statusAndCode(await answer)).toEqual(TOO_LARGE);
    clearInterval(sending);
    expect(sentBytes).toBeLessThan(UPLOAD_LIMIT_BYTES + SLACK_BYTES);
    outgoing.destroy();
  });

  it('for a form with other large fields', async () => {
    const form = createUploadForm(bench.png());
    for (let field = 0; field < 40; field += 1) form.append(`note${field}`, 'x'.repeat(60_000));
    expect(statusAndCode(await bench.send(form))).toEqual(TOO_LARGE);
  });
});

describe('408 media_upload_timeout, leaving no file', () => {
  afterEach(() => Object.assign(bench.service().deps.config, UNLIMITED));

  /** @returns the message of the 408 */
  async function cutOff(limits: Partial<typeof UNLIMITED>, trickleMs: number | null): Promise<string> {
    Object.assign(bench.service().deps.config, limits);
    const { outgoing, answer } = bench.openForm();
    outgoing.write(`${FORM_HEAD}abc`);
    const trickle = trickleMs === null ? undefined : setInterval(() => outgoing.write('x'), trickleMs);
    const answered = await answer;
    expect(statusAndCode(answered)).toEqual(TOO_SLOW);
    clearInterval(trickle);
    expect(await bench.listReceiving()).toEqual([]);
    outgoing.destroy();
    return readErrorMessage(answered);
  }

  it('when nothing arrives for the stall limit', async () => {
    expect(await cutOff({ uploadStallSeconds: 1 }, null)).toContain('stalled');
  });

  it('when a trickle takes longer than the limit in total', async () => {
    expect(await cutOff({ uploadTimeoutSeconds: 1 }, 200)).toContain('in total');
  });
});

describe('leaves no file of an interrupted upload', () => {
  it.each(['destroy', 'resetAndDestroy'] as const)('by %s', async (how) => {
    const before = await bench.storedKeys();
    const { outgoing, answer } = bench.openForm();
    outgoing.write(`${FORM_HEAD}abc`);
    await expect.poll(bench.listReceiving).toHaveLength(1);
    if (how === 'destroy') outgoing.destroy();
    else outgoing.socket?.resetAndDestroy();
    await expect(answer).rejects.toThrow(/hang up|ECONNRESET|aborted/);
    await expect.poll(bench.listReceiving).toHaveLength(0);
    expect(await bench.storedKeys()).toEqual(before);
  });
});
