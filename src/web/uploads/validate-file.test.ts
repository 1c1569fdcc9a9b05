import { expect, it } from 'vitest';
import { validateContent, validateFile } from './validate-file.ts';

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

it('knows a PDF and an archive by their content, whatever their name', () => {
  const head = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  expect(validateContent(head('%PDF-1.7\n1 0 obj'), 3)).toBe(
    'This is a PDF. Save its page as PNG or JPEG and upload that.',
  );
  expect(validateContent(head('PK\x03\x04'), 3)).toMatch(/^This is an archive/);
  expect(validateContent(head('hello there'), 3)).toBeNull();
});

it('refuses a large file that is no media before it is sent', () => {
  const head = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  expect(validateContent(new Uint8Array(16), 300_000_000)).toMatch(/^This is not an image, video or audio file\./);
  for (const media of [
    '\x89PNG\r\n',
    '\0\0\0 ftypisom',
    'RIFF\0\0\0\0WAVE',
    '\x1aE\xdf\xa3',
    'ID3',
    '\xff\xfb',
    '\0\0\0\bwide',
  ])
    expect(validateContent(head(media), 300_000_000)).toBeNull();
});
