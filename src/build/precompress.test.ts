import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { compressFile, isCompressible } from './precompress.ts';

it('compresses text files and no others', () => {
  const names = ['index.html', 'app-x.js', 'icon.svg', 'manifest.json', 'a.woff2', 'a.png', 'app.js.br', 'app.js.gz'];
  expect(names.filter(isCompressible)).toEqual(['index.html', 'app-x.js', 'icon.svg', 'manifest.json']);
});

it('writes forms that decompress to the file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'precompress-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'app.js');
  const text = 'export const value = 1;\n'.repeat(50);
  writeFileSync(file, text);
  compressFile(file);
  expect(brotliDecompressSync(readFileSync(`${file}.br`)).toString()).toBe(text);
  expect(gunzipSync(readFileSync(`${file}.gz`)).toString()).toBe(text);
});
