import { expect, it } from 'vitest';
import { createJsonSplitter } from './split-json.ts';

/** Splits JSON in chunks. @returns the JSON with `<n>` for the content of each file, and their contents */
function split(json: string, chunkBytes: number) {
  const splitter = createJsonSplitter();
  const bytes = Buffer.from(json);
  const files: string[] = [];
  let [text, content] = ['', ''];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    for (const part of splitter.push(bytes.subarray(at, at + chunkBytes)))
      if (part.kind === 'text') text += part.bytes.toString('latin1');
      else if (part.kind === 'content') content += part.base64;
      else {
        text += `<${files.length}>`;
        files.push(content);
        content = '';
      }
  return { text: Buffer.from(text, 'latin1').toString(), files };
}

const LONG = 'QUJD+/=-_'.repeat(600);
const SIZES = [1, 2, 3, 7, 64, 5_000, 100_000];

it.each(SIZES)('takes long data URIs out of JSON in chunks of %i bytes', (size) => {
  const json = (first: string, second: string) =>
    `{"é\\"data:":["data:image/png;base64,${first}",{"a":"data:;base64,${second}"}],"b":"data:;base64,QQ==","c":""}`;
  expect(split(json(LONG, `${LONG}AA`), size)).toEqual({ text: json('<0>', '<1>'), files: [LONG, `${LONG}AA`] });
});

it.each(SIZES)('leaves other texts as they are in chunks of %i bytes', (size) => {
  for (const json of [
    JSON.stringify({ prompt: `data:,${LONG}`, b: `\\"data:;base64,${LONG}`, 'data:': 'data:' }),
    JSON.stringify([`x data:image/png;base64,${LONG}`, `data:${'x'.repeat(300)};base64,${LONG}`, '\\\\', '"']),
    `["\\u0064ata:;base64,${LONG}"]`,
    `["data:;base64,${'A'.repeat(4_000)}!\\n", "dat", "data:;base64"]`,
    '{"unfinished": "data:image/png',
  ])
    expect(split(json, size)).toEqual(expectUnchanged(json));
});

/** A head that never ends is held back. */
const expectUnchanged = (json: string) => ({ text: json.replace(/data:image\/png$/, ''), files: [] });

it.each(SIZES)('decodes escapes in content in chunks of %i bytes', (size) => {
  const escaped = LONG.replaceAll('/', '\\/').replaceAll('+', '\\u002B').replaceAll('=', '\\u003d\\r\\n');
  const json = (content: string) => `["data:image\\/png;base64,${content}"]`;
  expect(split(json(escaped), size)).toEqual({ text: json('<0>'), files: [LONG] });
});

it.each(['!', 'é', '\\b', '\\\\', '\\u0041\\"', ' '])('refuses content with %s', (wrong) => {
  for (const size of SIZES)
    expect(() => split(`["data:;base64,${LONG}${wrong}"]`, size)).toThrow('no data URI in base64');
});
