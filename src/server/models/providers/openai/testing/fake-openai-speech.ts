import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMedia } from '#server/platform/media/testing/create-media.ts';

/** `response_format`: media type and ffmpeg's format. */
const FORMATS: Readonly<Record<string, readonly [mime_type: string, format: string]>> = {
  mp3: ['audio/mpeg', 'mp3'],
  wav: ['audio/wav', 'wav'],
  flac: ['audio/flac', 'flac'],
  opus: ['audio/ogg', 'opus'],
  aac: ['audio/aac', 'adts'],
};
const CHARACTERS_PER_SECOND = 15;

type IsValid = (value: unknown) => boolean;
const isText: IsValid = (value) => typeof value === 'string' && value !== '';

/** Parameters of “Create speech” in the public OpenAPI description (2.3.0); other servers have voices of their own. */
const FIELDS: Readonly<Record<string, IsValid>> = {
  model: isText,
  input: (value) => isText(value) && [...String(value)].length <= 4_096,
  voice: isText,
  instructions: isText,
  speed: (value) => typeof value === 'number' && value >= 0.25 && value <= 4,
  response_format: (value) => typeof value === 'string' && Object.hasOwn(FORMATS, value),
};

export function findSpeechProblem(fields: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(fields)) {
    const isValid = FIELDS[name];
    if (!isValid) return `Unknown parameter: '${name}'.`;
    if (!isValid(value)) return `Invalid value for '${name}'.`;
  }
  const missing = ['model', 'input', 'voice'].find((name) => !(name in fields));
  return missing === undefined ? null : `Missing required parameter: '${missing}'.`;
}

/** A tone as long as the text takes to say. */
export async function speak(fields: Readonly<Record<string, unknown>>): Promise<{ mime_type: string; bytes: Buffer }> {
  const { input, speed = 1, response_format = 'mp3' } = fields;
  const [mime_type, format] = FORMATS[String(response_format)] ?? ['audio/mpeg', 'mp3'];
  const seconds = String(input).length / CHARACTERS_PER_SECOND / Number(speed);
  const folder = await mkdtemp(join(tmpdir(), 'speech-'));
  try {
    const source = `sine=frequency=220:d=${Math.max(0.5, seconds).toFixed(2)}`;
    const file = await createMedia(join(folder, 'speech'), ['-f', 'lavfi', '-i', source, '-f', format]);
    return { mime_type, bytes: await readFile(file) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
