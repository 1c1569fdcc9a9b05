import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PRICES } from '#contract/pricing.ts';
import { ConfigError } from '../../config.ts';
import { problemLine } from './problems.ts';
import type { ReadingEngines } from './make-engine.ts';
import { type EngineSetup, NOTHING_OFF, readEngines } from './read-engines.ts';

/** Read where no file is named. */
const USUAL_FILE = './engines.json';
/** More than this would hide where to begin. */
const MOST_PROBLEMS = 20;

/**
 * Reads the operator's engines, switches and prices.
 * @param named the file; null: `engines.json` of the working folder, if it is there
 * @throws {ConfigError} that lists what is wrong with it
 */
export async function loadEngines(named: string | null, deps: ReadingEngines): Promise<EngineSetup> {
  const file = resolve(named ?? USUAL_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (named === null && error.code === 'ENOENT') return null;
    throw new ConfigError(`ENGINES_FILE ${file} can’t be read.`, { cause: error });
  });
  if (text === null) return { engines: [], off: NOTHING_OFF, prices: PRICES };
  const read = readEngines(parse(text, file), deps);
  if (read.ok) return read.setup;
  const lines = [...new Set(read.problems.map(problemLine))];
  const more = lines.length > MOST_PROBLEMS ? [`… and ${lines.length - MOST_PROBLEMS} more.`] : [];
  const list = [...lines.slice(0, MOST_PROBLEMS), ...more].map((line) => `  ${line}`);
  throw new ConfigError(`${file} is not right:\n${list.join('\n')}`);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message may quote the file.
    const at = error instanceof Error ? /\(line \d+ column \d+\)/.exec(error.message)?.[0] : undefined;
    throw new ConfigError(`${file} is not JSON${at ? ` ${at}` : ''}.`);
  }
}
