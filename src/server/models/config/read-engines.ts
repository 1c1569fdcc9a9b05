import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { type PriceBook, PRICES, findPrice, parseMultipliers, type Price } from '#contract/money/pricing.ts';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import {
  formatProblem,
  toValidationProblems,
  type ValidationProblem,
} from '#server/platform/core/validation-problems.ts';
import type { UpstreamEngine } from '#server/models/engine/upstream.ts';
import type { AdapterConnection } from './adapter-kind.ts';
import { resolveAssignments } from './assignments.ts';
import { createConfiguredEngine, type EngineSetupDeps, resolveConnection } from './create-configured-engine.ts';
import { type EnginesFile, enginesFileSchema, type PriceEntry } from './engines-schema.ts';
import { inputContract } from '#contract/catalog.ts';
import { parseUsd } from '#contract/money/money.ts';
import { listPricedOptions } from '#contract/money/multipliers.ts';

const DEFAULT_FILE = './engines.json';
/** A longer list would hide where to begin. */
const MAX_LISTED_PROBLEMS = 20;

/**
 * Loads engines, switches and prices. @param configuredFile null: `engines.json`, if it exists @throws {ConfigError}
 */
export async function loadEngines(configuredFile: string | null, deps: EngineSetupDeps): Promise<EngineSetup> {
  const file = resolve(configuredFile ?? DEFAULT_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (configuredFile === null && error.code === 'ENOENT') return null;
    throw new ConfigError(`ENGINES_FILE ${file} can’t be read.`, { cause: error });
  });
  if (text === null) return { engines: [], off: NOTHING_DISABLED, prices: PRICES };
  const result = readEngines(parseJsonFile(text, file), deps);
  if (result.ok) return result.setup;
  const lines = [...new Set(result.problems.map(formatProblem))];
  const more = lines.length > MAX_LISTED_PROBLEMS ? [`… and ${lines.length - MAX_LISTED_PROBLEMS} more.`] : [];
  const list = [...lines.slice(0, MAX_LISTED_PROBLEMS), ...more].map((line) => `  ${line}`);
  throw new ConfigError(`ENGINES_FILE ${file} is invalid:\n${list.join('\n')}`);
}

function parseJsonFile(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the parser may quote the file, which could contain a key.
    const position = error instanceof Error ? /\(line \d+ column \d+\)/.exec(error.message)?.[0] : undefined;
    throw new ConfigError(`ENGINES_FILE ${file} is not valid JSON${position ? ` ${position}` : ''}.`);
  }
}

/** Key formats of common services. */
const KEYS = [
  /(?<!\w)r8_\w{16,}/,
  /(?<!\w)xai-\w{16,}/,
  /(?<!\w)AIza[\w-]{30,}/,
  /(?<!\w)AKIA[A-Z0-9]{12,}/,
  /(?<!\w)gh[pousr]_\w{20,}/,
  /(?<!\w)hf_\w{20,}/,
  /(?<!\w)mgs_(?:org|usr|pub)_\w{16,}/,
  /(?<!\w)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{24,}/,
];
/** Long words of prose contain no digits. */
const KEYS_WITH_DIGITS = [/(?<!\w)sk-[\w-]{16,}/g, /(?<!\w)(?:Bearer|Key|Token|Basic) [\w.:+/=-]{12,}/g];

const containsKey = (text: string): boolean =>
  KEYS.some((pattern) => pattern.test(text)) ||
  KEYS_WITH_DIGITS.some((pattern) => text.match(pattern)?.some((key) => /\d/.test(key)));

/** Property names whose literal value can only be a secret. */
const SECRET_NAME = /^(authorization|cookie|(x-)?(api|auth|access)[-_]?(key|token)|api_key|token|secret|password)$/i;
const HINT =
  'contains what looks like a key: put it into an environment variable and name that in “api_key_env” of the engine';

/** Finds secrets in the file. The problems do not quote them. */
function findLiteralKeys(value: unknown, path: readonly string[] = []): ValidationProblem[] {
  if (typeof value === 'string') {
    const name = path.at(-1) ?? '';
    const isSecret = containsKey(value) || (SECRET_NAME.test(name) && value !== '' && !value.includes('{{'));
    return isSecret ? [{ path: path.join('.'), message: HINT }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => findLiteralKeys(child, [...path, key]));
}

/** Tasks and models that the operator switched off: new requests are rejected, active jobs continue. */
export interface DisabledCatalog {
  tasks: readonly TaskId[];
  models: readonly ModelId[];
}

export const NOTHING_DISABLED: DisabledCatalog = { tasks: [], models: [] };

interface EngineSetup {
  engines: readonly UpstreamEngine[];
  off: DisabledCatalog;
  prices: PriceBook;
}

export function readEngines(
  input: unknown,
  deps: EngineSetupDeps,
): { ok: true; setup: EngineSetup } | { ok: false; problems: ValidationProblem[] } {
  const keyProblems = findLiteralKeys(input);
  const parsed = z.safeParse(enginesFileSchema, input, { reportInput: true });
  if (!parsed.success) return { ok: false, problems: [...keyProblems, ...toValidationProblems(parsed.error.issues)] };
  const file = parsed.data;
  const { prices, problems: price_problems } = buildPriceBook(file.prices);
  const { engines, problems: engine_problems } = createEngines(file, deps);
  const problems = [...keyProblems, ...engine_problems, ...price_problems];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, setup: { engines, off: file.off, prices } };
}

function createEngines(
  file: EnginesFile,
  deps: EngineSetupDeps,
): { engines: UpstreamEngine[]; problems: ValidationProblem[] } {
  const problems: ValidationProblem[] = [];
  const connections = new Map<string, AdapterConnection>();
  for (const [name, entry] of Object.entries(file.engines)) {
    const connection = resolveConnection(`engines.${name}`, entry, deps);
    if (Array.isArray(connection)) problems.push(...connection);
    else connections.set(name, connection);
  }
  const engines: UpstreamEngine[] = [];
  for (const assignment of resolveAssignments(file, problems)) {
    const entry = file.engines[assignment.engine];
    const path = assignment.layers[0]?.path ?? '';
    if (!entry) {
      problems.push({ path: `${path}.engine`, message: `is “${assignment.engine}”, which is not among the engines` });
      continue;
    }
    const engine = createConfiguredEngine(assignment, entry, connections.get(assignment.engine));
    if (Array.isArray(engine)) problems.push(...engine);
    else if (engine) engines.push(engine);
  }
  return { engines, problems };
}

/** Replaces published prices with the operator's. Decision: Prices */
function buildPriceBook(entries: readonly PriceEntry[]): { prices: PriceBook; problems: ValidationProblem[] } {
  const overrides = new Map<Price, Price>();
  const problems = entries.flatMap((entry, index) => {
    const row = findPrice(PRICES, entry.task, entry.model);
    const problemAt = (property: string, message: string): ValidationProblem => ({
      path: ['prices', index, property].join('.'),
      message,
    });
    if (!row && entry.model === null)
      return [problemAt('model', `is missing: each model has its own price for ${entry.task}`)];
    if (!row) return [problemAt('model', `is ${entry.model}, which does not run ${entry.task}`)];
    if (overrides.has(row)) return [problemAt('task', 'already has a price above')];
    const price = {
      ...row,
      ...(entry.unit_price_usd === undefined ? {} : { unit_price_micro_usd: parseUsd(entry.unit_price_usd) }),
      ...(entry.minimum_usd === undefined ? {} : { minimum_micro_usd: parseUsd(entry.minimum_usd) }),
      ...(entry.multipliers ? { multipliers: parseMultipliers(entry.multipliers) } : {}),
    };
    overrides.set(row, price);
    return [...minimumProblem(entry, price, problemAt), ...multiplierProblems(entry, problemAt)];
  });
  return { prices: PRICES.map((row) => overrides.get(row) ?? row), problems };
}

type ProblemAt = (property: string, message: string) => ValidationProblem;

/** A unit price below the published minimum would never apply, so it is probably a mistake. */
function minimumProblem(
  { unit_price_usd, minimum_usd, multipliers }: PriceEntry,
  price: Price,
  problemAt: ProblemAt,
): ValidationProblem[] {
  const isPerItem = price.unit === 'image' || price.unit === 'generation';
  const hidden = isPerItem && price.minimum_micro_usd > price.unit_price_micro_usd && !multipliers;
  return unit_price_usd !== undefined && minimum_usd === undefined && hidden
    ? [problemAt('unit_price_usd', 'is below the published minimum, which would still apply: set “minimum_usd” too')]
    : [];
}

function multiplierProblems({ task, model, multipliers = {} }: PriceEntry, problemAt: ProblemAt): ValidationProblem[] {
  const fields = inputContract(task, model)?.fields ?? [];
  return Object.entries(multipliers).flatMap(([name, by_option]) => {
    const field = fields.find((candidate) => candidate.name === name);
    const options = field ? listPricedOptions(field) : [];
    if (options.length === 0) {
      const pricedFields = fields
        .filter((candidate) => listPricedOptions(candidate).length > 0)
        .map((candidate) => candidate.name);
      return [
        problemAt(
          `multipliers.${name}`,
          `is not an option of ${task}; the options are: ${pricedFields.join(', ') || 'none'}`,
        ),
      ];
    }
    return Object.keys(by_option)
      .filter((option) => !options.includes(option))
      .map((option) =>
        problemAt(`multipliers.${name}.${option}`, `is not among the priced options: ${options.join(', ')}`),
      );
  });
}
