import * as z from 'zod/mini';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/pricing.ts';
import type { UpstreamEngine } from '../upstream.ts';
import type { AdapterConnection } from './adapter-kind.ts';
import { resolveAssignments } from './assignments.ts';
import { type EnginesFile, enginesFileSchema } from './engines-schema.ts';
import { createConfiguredEngine, resolveConnection, type EngineSetupDeps } from './create-configured-engine.ts';
import { buildPriceBook } from './price-book.ts';
import { type ValidationProblem, toValidationProblems } from '#server/core/validation-problems.ts';

/** Keys as the services in use make them; prose has no digits in its long words. */
const KEY = new RegExp(
  [
    'sk-(?=\\S*\\d)[\\w-]{16,}',
    'r8_\\w{16,}',
    'xai-\\w{16,}',
    'AIza[\\w-]{30,}',
    'AKIA[A-Z0-9]{12,}',
    'gh[pousr]_\\w{20,}',
    'hf_\\w{20,}',
    'mgs_(?:org|usr|pub)_\\w{16,}',
    '(?:Bearer|Key|Token|Basic) (?=\\S*\\d)[\\w.:+/=-]{12,}',
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{24,}',
  ]
    .map((shape) => `(?<!\\w)${shape}`)
    .join('|'),
);
/** Names under which a literal can only be a secret. */
const SECRET_NAME = /^(authorization|cookie|(x-)?(api|auth|access)[-_]?(key|token)|api_key|token|secret|password)$/i;
const HINT =
  'holds what looks like a key: put it into an environment variable, and name that in “api_key_env” of the engine';

/** Where a secret stands in the file itself. It is not shown. */
function findLiteralKeys(value: unknown, path: readonly string[] = []): ValidationProblem[] {
  if (typeof value === 'string') {
    const name = path.at(-1) ?? '';
    const is_secret = KEY.test(value) || (SECRET_NAME.test(name) && value !== '' && !value.includes('{{'));
    return is_secret ? [{ path: path.join('.'), message: HINT }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => findLiteralKeys(part, [...path, key]));
}

/** What the operator has switched off: new requests for it are rejected, running ones finish. */
export interface DisabledCatalog {
  tasks: readonly TaskId[];
  models: readonly ModelId[];
}

export const NOTHING_DISABLED: DisabledCatalog = { tasks: [], models: [] };

/** What the operator set up. */
export interface EngineSetup {
  engines: readonly UpstreamEngine[];
  off: DisabledCatalog;
  prices: PriceBook;
}

/** Judges what the file says, and makes its engines. All that is wrong is told at once. */
export function readEngines(
  given: unknown,
  deps: EngineSetupDeps,
): { ok: true; setup: EngineSetup } | { ok: false; problems: ValidationProblem[] } {
  const literal = findLiteralKeys(given);
  const parsed = z.safeParse(enginesFileSchema, given, { reportInput: true });
  if (!parsed.success) return { ok: false, problems: [...literal, ...toValidationProblems(parsed.error.issues)] };
  const file = parsed.data;
  const { prices, problems: price_problems } = buildPriceBook(file.prices);
  const { engines, problems: engine_problems } = createEngines(file, deps);
  const problems = [...literal, ...engine_problems, ...price_problems];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, setup: { engines, off: file.off, prices } };
}

function createEngines(
  file: EnginesFile,
  deps: EngineSetupDeps,
): { engines: UpstreamEngine[]; problems: ValidationProblem[] } {
  const problems: ValidationProblem[] = [];
  const opened = new Map<string, AdapterConnection>();
  for (const [name, entry] of Object.entries(file.engines)) {
    const parts = resolveConnection(`engines.${name}`, entry, deps);
    if (Array.isArray(parts)) problems.push(...parts);
    else opened.set(name, parts);
  }
  const engines: UpstreamEngine[] = [];
  for (const assignment of resolveAssignments(file, problems)) {
    const entry = file.engines[assignment.engine];
    const path = assignment.layers[0]?.path ?? '';
    if (!entry) {
      problems.push({ path: `${path}.engine`, message: `is “${assignment.engine}”, which is not among the engines` });
      continue;
    }
    const made = createConfiguredEngine(assignment, entry, opened.get(assignment.engine));
    if (Array.isArray(made)) problems.push(...made);
    else if (made) engines.push(made);
  }
  return { engines, problems };
}
