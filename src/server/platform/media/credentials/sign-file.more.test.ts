import { describe, it } from 'vitest';
import { useSigning } from './testing/signing-fixture.ts';

const files = useSigning();

describe('signing', () => {
  it.each(['a.mov', 'a.m4a', 'a.wav'])(
    '%s holds its manifest, stays readable, and one flipped byte is found',
    files.expectEmbedded,
  );

  it.each([['a.flac', 'audio/flac']])('%s gets its manifest beside it', files.expectBeside);
});
