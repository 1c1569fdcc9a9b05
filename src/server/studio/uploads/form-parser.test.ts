import { describe, expect, it } from 'vitest';
import { invalidUploadError } from './upload-errors.ts';
import { type FormHandlers, openFormParser } from './form-parser.ts';
import { cutForms, FORM_TYPE, NAMELESS_FORMS, ODD_FORMS } from './testing/odd-forms.ts';

const IGNORE: FormHandlers = { onField: () => undefined, onFile: () => () => undefined };

/** @returns `ok`, or the message of the error */
async function parse(body: Buffer, { handlers = IGNORE, type = FORM_TYPE, step = body.length } = {}): Promise<string> {
  try {
    const parser = openFormParser(type, handlers);
    for (let at = 0; at < body.length; at += step) await parser.write(body.subarray(at, at + step));
    await parser.end();
    return 'ok';
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_media_upload', status: 400 });
    return error instanceof Error ? error.message : '';
  }
}

const form = (...parts: string[]) =>
  Buffer.from(`${parts.map((part) => `--b0undary\r\n${part}\r\n`).join('')}--b0undary--\r\n`);
const text = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

describe('a form', () => {
  it.each(NAMELESS_FORMS)('with $odd is refused by its name, whatever is done with its parts', async ({ body }) => {
    const ignoring: FormHandlers = { onFile: () => null };
    for (const handlers of [IGNORE, ignoring])
      expect(await parse(body, { handlers })).toMatch(/^(?:Each part of the form must have a name|The name of a part)/);
  });

  it.each(ODD_FORMS)('with $odd ends, in one piece or in several', async ({ body, contentType }) => {
    const type = contentType === undefined ? FORM_TYPE : (contentType ?? '');
    const whole = await parse(body, { type });
    expect(await parse(body, { type, step: Math.max(1, Math.ceil(body.length / 20)) })).toBe(whole);
  });

  it('that is cut is damaged, after each of its bytes', async () => {
    for (const { odd, body } of cutForms()) {
      // The last line end is not needed.
      if (body.toString().endsWith('--b0undary--') || body.toString().endsWith('--b0undary--\r')) continue;
      expect([odd, await parse(body)]).not.toEqual([odd, 'ok']);
    }
  });

  it('ends with what a handler throws, also on a later tick, and calls none after that', async () => {
    const calls: string[] = [];
    const refuse = (name: string) => {
      calls.push(name);
      throw invalidUploadError(`No ${name}.`);
    };
    const body = form(text('a', '1'), text('b', '2'), text('file', '3'));
    expect(await parse(body, { handlers: { onField: refuse, onFile: () => null } })).toBe('No a.');
    expect(await parse(body, { handlers: { onFile: refuse } })).toBe('No file.');
    expect(await parse(body, { handlers: { onFile: (name) => () => refuse(name) } })).toBe('No file.');
    expect(calls).toEqual(['a', 'file', 'file']);
  });

  it('fails with a bug of a handler as it is', async () => {
    const bug = new TypeError('A bug.');
    const parser = openFormParser(FORM_TYPE, {
      onFile() {
        throw bug;
      },
    });
    await expect(parser.write(form(text('file', 'x')))).rejects.toBe(bug);
    await expect(parser.end()).rejects.toBe(bug);
  });

  it('is read in full', async () => {
    const parts: [string, string][] = [];
    const handlers: FormHandlers = {
      onField: (name, value) => parts.push([name, value]),
      onFile: (name, filename) => (chunk) => parts.push([`${name} ${filename}`, chunk.toString()]),
    };
    const file = 'Content-Disposition: form-data; name="image[]"; filename="ü.png"\r\n\r\nbytes';
    const body = form(text('a', 'ä'), file, text('a', ''));
    expect(await parse(body, { handlers })).toBe('ok');
    expect(parts).toEqual([
      ['a', 'ä'],
      ['image[] ü.png', 'bytes'],
      ['a', ''],
    ]);
  });
});
