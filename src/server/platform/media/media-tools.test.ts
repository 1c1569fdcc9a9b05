import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFfmpeg } from './ffmpeg.ts';
import { flags } from './flags.ts';
import { resolveMediaTools } from './media-tools.ts';
import { probeFile } from './probe-file.ts';
import { createPngBomb } from './testing/image-bomb-fixture.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tools-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function programOf(name: string, line: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\necho '${line}'\n`);
  await chmod(file, 0o755);
  return file;
}

it('finds the installed programs', async () => {
  const { streams } = await resolveMediaTools();
  expect(Number.parseInt(streams?.ffmpegVersion.replace(/^n/, '') ?? '', 10)).toBeGreaterThanOrEqual(5);
});

describe('without ffmpeg', () => {
  it.each([
    ['that is not there', '/nowhere', /^FFMPEG_PATH does not name a working ffmpeg\. .*install ffmpeg 5 or newer/],
    ['that is another program', '/bin/true', /^FFMPEG_PATH does not name a working ffmpeg\. /],
  ])('reports what to install: a path %s', async (_, ffmpegPath, sentence) => {
    const { streams, warnings } = await resolveMediaTools({ ffmpegPath });
    expect([streams, warnings]).toEqual([null, expect.arrayContaining([expect.stringMatching(sentence)])]);
  });

  it('rejects outdated versions', async () => {
    const old = 'ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright (c) 2000-2021 the FFmpeg developers';
    const { streams, warnings } = await resolveMediaTools({ ffmpegPath: await programOf('ffmpeg', old) });
    expect(streams).toBeNull();
    expect(warnings).toContainEqual(expect.stringMatching(/^ffmpeg 4\.4\.2-\S+ at \S+ is too old\. .*FFMPEG_PATH/));
  });

  it('reads images and rejects video and audio with a message', async () => {
    const tools = await resolveMediaTools({ ffmpegPath: '/nowhere' });
    const [picture, sound] = [path.join(folder, 'a.png'), path.join(folder, 'a.wav')];
    await writeFile(picture, createPngBomb(16));
    expect(await probeFile(tools, picture)).toMatchObject({ kind: 'image', width: 16 });
    const args = flags`-f lavfi -i sine=d=1 file:${sound}`;
    const refusal = { name: 'MediaError', code: 'tools_missing', message: expect.stringMatching(/installs ffmpeg 5/) };
    await expect(runFfmpeg(tools, { args, trusted: true })).rejects.toMatchObject(refusal);
    await runFfmpeg(await resolveMediaTools(), { args, trusted: true });
    await expect(probeFile(tools, sound)).rejects.toMatchObject(refusal);
  });
});
