import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import { type Config, ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { formatProblem } from '#server/platform/core/validation-problems.ts';
import { parseDefinition } from '#server/studio/workflows/definition/parse-definition.ts';
import { NO_ADDED_MODELS } from '#server/studio/workflows/definition/step-models.ts';
import type { ReadNames } from '#server/studio/workflows/definition/read-templates.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';

export interface SharedStarter {
  source: 'shipped' | 'operator';
  workflow: Workflow;
}

const SHIPPED = join(import.meta.dirname, '../shipped');
const DEFAULT_FOLDER = './starters';

/**
 * Starters of the operator's folder replace shipped ones; invalid ones are logged and left out. @throws {ConfigError}
 */
export async function loadStarters(
  config: Pick<Config, 'startersDir' | 'publicUrl'>,
  log: Pick<Logger, 'warn' | 'info'>,
  readNames: ReadNames,
): Promise<SharedStarter[]> {
  const reading = { localOrigin: ownMediaOrigin(config), log, readNames };
  const shipped = await readFolder(SHIPPED, 'shipped', reading);
  const folder = resolve(config.startersDir ?? DEFAULT_FOLDER);
  const operatorStarters = await readFolder(folder, 'operator', reading).catch((error: NodeJS.ErrnoException) => {
    if (config.startersDir === null && error.code === 'ENOENT') return [];
    throw new ConfigError(`STARTERS_DIR ${folder} can’t be read.`, { cause: error });
  });
  if (operatorStarters.length > 0)
    log.info({ folder, starters: operatorStarters.map(starterSlug) }, 'operator starters loaded');
  const operatorSlugs = new Set(operatorStarters.map(starterSlug));
  return [...operatorStarters, ...shipped.filter((starter) => !operatorSlugs.has(starterSlug(starter)))];
}

const starterSlug = ({ workflow }: SharedStarter): string => workflow.definition.slug;

interface LoadContext {
  localOrigin: string | null;
  log: Pick<Logger, 'warn'>;
  readNames: ReadNames;
}

async function readFolder(
  folder: string,
  source: SharedStarter['source'],
  reading: LoadContext,
): Promise<SharedStarter[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const starters = new Map<string, SharedStarter>();
  for (const name of names) {
    const file = join(folder, name);
    const read = await readStarter(file, reading);
    if (read.ok && !starters.has(read.workflow.definition.slug)) {
      starters.set(read.workflow.definition.slug, { source, workflow: read.workflow });
    } else {
      const problems = read.ok
        ? [`slug: “${read.workflow.definition.slug}” is already used by another file.`]
        : read.problems;
      reading.log.warn({ file, problems }, 'invalid starter skipped');
    }
  }
  return [...starters.values()];
}

type ParsedStarter = { ok: true; workflow: Workflow } | { ok: false; problems: string[] };

async function readStarter(file: string, { localOrigin, readNames }: LoadContext): Promise<ParsedStarter> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return { ok: false, problems: ['It can’t be read.'] };
  const json = parseJson(text);
  if (json === undefined) return { ok: false, problems: ['It is not JSON.'] };
  const read = await parseDefinition(json, localOrigin, readNames, NO_ADDED_MODELS);
  return read.ok ? read : { ok: false, problems: read.problems.map(formatProblem) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
