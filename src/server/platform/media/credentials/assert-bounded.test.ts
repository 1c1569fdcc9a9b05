import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import { TooManyPartsError } from '#server/platform/media/structure/walk-structure.ts';
import { STRUCTURE_BOMBS } from '#server/platform/media/testing/structure-bomb-fixture.ts';
import { assertBounded } from './assert-bounded.ts';

let file: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bounded-'));
  file = join(folder, 'file');
});
afterAll(() => rm(folder, { recursive: true }));

it.each(STRUCTURE_BOMBS)('rejects a file of too many $name, and reads one of a few', async ({ mimeType, create }) => {
  await writeFile(file, create(150_000));
  await expect(assertBounded(file, mimeType)).rejects.toBeInstanceOf(TooManyPartsError);
  // Marks are searched in the service itself.
  await readMarks(file);
  await writeFile(file, create(8));
  await assertBounded(file, mimeType);
});
