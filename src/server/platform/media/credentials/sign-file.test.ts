import { appendFile, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { OWN, useSigning, VALID } from './testing/signing-fixture.ts';

const files = useSigning();
const { createFile, sign, inspect } = files;

describe('signing', () => {
  it.each(['a.png', 'a.jpg', 'a.webp', 'a.mp4', 'a.mp3'])(
    '%s holds its manifest, stays readable, and one flipped byte is found',
    files.expectEmbedded,
  );

  it.each([['a.webm', 'video/webm']])('%s gets its manifest beside it', files.expectBeside);

  it('a manifest says nothing of another file', async () => {
    const file = await createFile('b.webm');
    const sidecar = await sign(file);
    const other = await createFile('b.png');
    expect(await inspect(other, 'image/png', sidecar)).toMatchObject({ state: 'changed', steps: [OWN] });
  });

  it('a video of more boxes than are read gets its manifest beside it', async () => {
    const file = await createFile('b.mp4');
    const free = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')]);
    await appendFile(file, Buffer.concat(Array.from({ length: 20_001 }, () => free)));
    const before = await readFile(file);
    const sidecar = await sign(file);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await inspect(file, 'video/mp4', sidecar)).toMatchObject({ ...VALID, steps: [OWN] });
  });
});
