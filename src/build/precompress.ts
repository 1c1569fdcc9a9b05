import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

export const isCompressible = (name: string): boolean => /\.(html|js|css|svg|json|txt|webmanifest)$/.test(name);

/** Writes a .br and a .gz beside every text file of the build, so that the service never compresses on a request. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'emulsion:precompress',
    apply: 'build',
    configResolved({ root, build }) {
      outDir = path.resolve(root, build.outDir);
    },
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && isCompressible(entry.name)) compressFile(path.join(entry.parentPath, entry.name));
      }
    },
  };
}

/** Writes the compressed forms of a file beside it. */
export function compressFile(file: string): void {
  const source = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: source.length };
  writeFileSync(`${file}.br`, brotliCompressSync(source, { params }));
  writeFileSync(`${file}.gz`, gzipSync(source, { level: 9 }));
}
