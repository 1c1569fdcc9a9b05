import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The modules that run ffmpeg for tests. */
const RUNS_FFMPEG = ['src/server/platform/media/testing/create-media.ts', 'e2e/support/clips.ts'];
const IMPORT = /^(?:import|export|\} from|.* from) .*'((?:\.|#server\/)[^']+)';$/gm;
/** Modules of the product import no fixture. */
const MAY_RUN_FFMPEG = /\/(?:testing|support)\//;

const succeeds = (program: string): boolean => {
  try {
    execFileSync(program, ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export const hasFfmpeg = (): boolean => succeeds('ffmpeg') && succeeds('ffprobe');

/** Returns the test files of a pattern that import, by way of fixtures, what runs ffmpeg. */
export function filesThatNeedFfmpeg(pattern: string): string[] {
  const answers = new Map(RUNS_FFMPEG.map((file) => [file, true]));
  const needs = (file: string): boolean => {
    const known = answers.get(file);
    if (known !== undefined) return known;
    answers.set(file, false);
    const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) =>
      path.startsWith('#') ? path.replace('#', 'src/') : normalize(join(dirname(file), path)),
    );
    const found = imports.some((path) => MAY_RUN_FFMPEG.test(`/${path}`) && existsSync(path) && needs(path));
    answers.set(file, found);
    return found;
  };
  return globSync(pattern).filter(needs).toSorted();
}
