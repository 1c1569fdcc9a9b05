import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PRICES } from '#contract/pricing.ts';
import { ConfigError } from '#server/core/config-error.ts';
import { formatProblem } from '#server/core/validation-problems.ts';
import type { EngineSetupDeps } from './create-configured-engine.ts';
import { type EngineSetup, NOTHING_DISABLED, readEngines } from './read-engines.ts';

const DEFAULT_FILE = './engines.json';
/** A longer list would hide where to begin. */
const MAX_LISTED_PROBLEMS = 20;

/**
 * Loads the engines, switches and prices of the operator.
 * @param named null: `engines.json` in the working directory, if it exists
 * @throws {ConfigError} listing the problems
 */
export async function loadEngines(configured_file: string | null, deps: EngineSetupDeps): Promise<EngineSetup> {
  const file = resolve(configured_file ?? DEFAULT_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (configured_file === null && error.code === 'ENOENT') return null;
    throw new ConfigError(`ENGINES_FILE ${file} can’t be read.`, { cause: error });
  });
  if (text === null) return { engines: [], off: NOTHING_DISABLED, prices: PRICES };
  const result = readEngines(parseJsonFile(text, file), deps);
  if (result.ok) return result.setup;
  const lines = [...new Set(result.problems.map(formatProblem))];
  const more = lines.length > MAX_LISTED_PROBLEMS ? [`… and ${lines.length - MAX_LISTED_PROBLEMS} more.`] : [];
  const list = [...lines.slice(0, MAX_LISTED_PROBLEMS), ...more].map((line) => `  ${line}`);
  throw new ConfigError(`${file} is invalid:\n${list.join('\n')}`);
}

function parseJsonFile(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the parser may quote the file, which could contain a key.
    const position = error instanceof Error ? /\(line \d+ column \d+\)/.exec(error.message)?.[0] : undefined;
    throw new ConfigError(`${file} is not valid JSON${position ? ` ${position}` : ''}.`);
  }
}
