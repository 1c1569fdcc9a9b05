import { expect, it } from 'vitest';
import { validateFile } from './validate-file.ts';

it('names the limit if a file is too large', () => {
  expect(validateFile({ type: 'video/mp4', size: 612_000_000 }, 536_870_912)).toBe(
    'This file is too large: 612.0 MB. The limit is 536.9 MB per file.',
  );
  expect(validateFile({ type: 'video/mp4', size: 536_870_912 }, 536_870_912)).toBeNull();
  expect(validateFile({ type: 'video/mp4', size: 9e12 }, null)).toBeNull();
});

it('lists the supported formats for an unsupported file', () => {
  expect(validateFile({ type: 'text/plain', size: 3 }, null)).toMatch(
    /not an image, video or audio file.*PNG.*MP4.*MP3/,
  );
  expect(validateFile({ type: 'image/heic', size: 3 }, null)).toMatch(/as JPEG/);
  expect(validateFile({ type: 'image/png', size: 0 }, null)).toBe('This file is empty.');
});

it.each(['image/png', 'video/x-m4v', 'audio/x-wav', 'application/ogg', 'application/octet-stream', ''])(
  'lets the service decide about %j',
  (type) => expect(validateFile({ type, size: 3 }, null)).toBeNull(),
);
