import { expect, it } from 'vitest';
import { validateFile } from './validate-file.ts';

it('names the limit where a file is too large', () => {
  expect(validateFile({ type: 'video/mp4', size: 612_000_000 }, 536_870_912)).toBe(
    'This file is too large: 612.0 MB. This service takes up to 536.9 MB each.',
  );
  expect(validateFile({ type: 'video/mp4', size: 536_870_912 }, 536_870_912)).toBeNull();
  expect(validateFile({ type: 'video/mp4', size: 9e12 }, null)).toBeNull();
});

it('says what is taken where a file can be none of it', () => {
  expect(validateFile({ type: 'text/plain', size: 3 }, null)).toMatch(/no picture, video or sound.*PNG.*MP4.*MP3/);
  expect(validateFile({ type: 'image/heic', size: 3 }, null)).toMatch(/as JPEG/);
  expect(validateFile({ type: 'image/png', size: 0 }, null)).toBe('This file is empty.');
});

it.each(['image/png', 'video/x-m4v', 'audio/x-wav', 'application/ogg', 'application/octet-stream', ''])(
  'leaves %j to the service',
  (type) => expect(validateFile({ type, size: 3 }, null)).toBeNull(),
);
