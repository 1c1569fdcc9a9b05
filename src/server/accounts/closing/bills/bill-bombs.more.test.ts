import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewBill } from './read-bill.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bill-bombs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const HEADER = 'Date,Cost,Model,Currency';
const LINE = '2026-11-01,1.00,a,USD';
let files = 0;

/** Writes a compressed file of so many parts. */
async function writeBomb(part: Buffer, count: number, start = ''): Promise<string> {
  const file = join(folder, String((files += 1)));
  function* parts() {
    yield Buffer.from(start);
    for (let at = 0; at < count; at += 1) yield part;
  }
  await pipeline(Readable.from(parts()), createGzip({ level: 1 }), createWriteStream(file));
  return file;
}

describe('bombs are refused in flat memory', () => {
  const MEGABYTE = 1_048_576;
  it.each([
    ['zeros', '\0'.repeat(MEGABYTE), '', /is not text|damaged|larger than 1 GB/],
    ['blanks', ' '.repeat(MEGABYTE), '', /quote that does not end, or is too long|larger than 1 GB/],
    ['newlines', '\n'.repeat(MEGABYTE), `${HEADER}\n`, /millions of empty rows/],
    ['lines', `${LINE}\n`.repeat(MEGABYTE / 22), `${HEADER}\n`, /more than 1,000,000 lines/],
    ['commas', ','.repeat(MEGABYTE), `${HEADER}\n`, /too long|more than 200 columns/],
    ['one quote', 'x'.repeat(MEGABYTE), `${HEADER}\n2026-11-01,1,"`, /quote that does not end/],
  ])('of %s', async (_, part, start, problem) => {
    const file = await writeBomb(Buffer.from(part), 300, start);
    let peak = 0;
    const before = process.memoryUsage().rss;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const bill = await previewBill(file, { month: '2026-11' }, null);
    clearInterval(timer);
    expect(bill.problem).toMatch(problem);
    expect((peak - before) / MEGABYTE).toBeLessThan(250);
  });
});
