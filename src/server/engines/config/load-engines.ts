import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PRICES } from '#contract/pricing.ts';
import { ConfigError } from '#server/core/config.ts';
import { formatProblem } from '#server/core/validation-problems.ts';
import type { EngineSetupDeps } from './create-configured-engine.ts';
import { type EngineSetup, NOTHING_DISABLED, readEngines } from './read-engines.ts';

/** Read where no file is named. */
const DEFAULT_FILE = './engines.json';
/** More than this would hide where to begin. */
const MAX_LISTED_PROBLEMS = 20;

/**
 * Reads the operator's engines, switches and prices.
 * @param named the file; null: `engines.json` of the working folder, if it is there
 * @throws {ConfigError} that lists what is wrong with it
 */
export async function loadEngines(named: string | null, deps: EngineSetupDeps): Promise<EngineSetup> {
  const file = resolve(named ?? DEFAULT_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (named === null && error.code === 'ENOENT') return null;
    throw new ConfigError(`ENGINES_FILE ${file} can’t be read.`, { cause: error });
  });
  if (text === null) return { engines: [], off: NOTHING_DISABLED, prices: PRICES };
  const read = readEngines(parseJsonFile(text, file), deps);
  if (read.ok) return read.setup;
  const lines = [...new Set(read.problems.map(formatProblem))];
  const more = lines.length > MAX_LISTED_PROBLEMS ? [`… and ${lines.length - MAX_LISTED_PROBLEMS} more.`] : [];
  const list = [...lines.slice(0, MAX_LISTED_PROBLEMS), ...more].map((line) => `  ${line}`);
  throw new ConfigError(`${file} is not right:\n${list.join('\n')}`);
}

function parseJsonFile(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message may quote the file.
    const at = error instanceof Error ? /\(line \d+ column \d+\)/.exec(error.message)?.[0] : undefined;
    throw new ConfigError(`${file} is not JSON${at ? ` ${at}` : ''}.`);
  }
}
