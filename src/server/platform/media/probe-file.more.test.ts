import { describe, expect, it } from 'vitest';
import { PICTURE, refusal, type SourceName, useProbeFixture } from './testing/probe-fixture.ts';

const files = useProbeFixture();
const { probe } = files;

describe('probeFile detects', () => {
  it.each<[SourceName, string, string, boolean]>([
    ['fast.mp4', 'video/mp4', 'mp4', true],
    ['fragments.mp4', 'video/mp4', 'mp4', false],
    ['a.mov', 'video/quicktime', 'mov', false],
    ['a.mkv', 'video/x-matroska', 'mkv', true],
    ['live.webm', 'video/webm', 'webm', false],
  ])('%s', files.expectVideo);

  it.each<[SourceName, string, string]>([
    ['a.m4a', 'audio/mp4', 'm4a'],
    ['a.aac', 'audio/aac', 'aac'],
    ['a.flac', 'audio/flac', 'flac'],
    ['a.ogg', 'audio/ogg', 'ogg'],
    ['opus.ogg', 'audio/ogg', 'ogg'],
    ['sound.webm', 'audio/webm', 'webm'],
  ])('%s', files.expectAudio);

  it('audio with a cover image as audio', async () => {
    const line = `-i file:${await files.source('a.m4a')} -i file:${await files.source('a.jpg')} -map 0 -map 1 -c copy -disposition:v attached_pic`;
    expect(await probe(await files.make('cover.m4a', line))).toMatchObject({ kind: 'audio', width: null });
    expect(await probe(await files.make('cover.mp3', line.replace('-c copy', '-c:v copy')))).toMatchObject({
      kind: 'audio',
    });
  });
});

describe('probeFile rejects', () => {
  it.each<SourceName>([
    'fast.mp4',
    'fragments.mp4',
    'a.mov',
    'a.mkv',
    'live.webm',
    'sound.webm',
    'a.m4a',
    'a.aac',
    'a.flac',
    'a.ogg',
    'opus.ogg',
  ])('%s that is truncated', files.expectTruncatedRejected);

  it('a video in an Ogg', async () => {
    await expect(probe(await files.make('video.ogg', `${PICTURE} -c:v libtheora -f ogg`))).rejects.toEqual(refusal());
  });

  it('a video with too many pixels', async () => {
    const line = '-f lavfi -i color=s=6200x6200:r=1:d=1 -c:v libx264 -preset ultrafast -threads 1';
    const file = await files.make('wide.mp4', line);
    await expect(probe(file)).rejects.toEqual(refusal());
  });
});
