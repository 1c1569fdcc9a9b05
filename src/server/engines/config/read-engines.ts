import * as z from 'zod/mini';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/pricing.ts';
import type { UpstreamEngine } from '../upstream.ts';
import type { AdapterParts } from './adapter-kind.ts';
import { assignmentsOf } from './assignments.ts';
import { type EnginesFile, enginesFile } from './engines-schema.ts';
import { findLiteralKeys } from './find-literal-keys.ts';
import { makeEngine, openEngine, type ReadingEngines } from './make-engine.ts';
import { priceBook } from './price-book.ts';
import { type Problem, problemsOf } from './problems.ts';

/** What the operator has switched off: new requests for it are rejected, running ones finish. */
export interface SwitchedOff {
  tasks: readonly TaskId[];
  models: readonly ModelId[];
}

export const NOTHING_OFF: SwitchedOff = { tasks: [], models: [] };

/** What the operator set up. */
export interface EngineSetup {
  engines: readonly UpstreamEngine[];
  off: SwitchedOff;
  prices: PriceBook;
}

/** Judges what the file says, and makes its engines. All that is wrong is told at once. */
export function readEngines(
  given: unknown,
  deps: ReadingEngines,
): { ok: true; setup: EngineSetup } | { ok: false; problems: Problem[] } {
  const literal = findLiteralKeys(given);
  const parsed = z.safeParse(enginesFile, given, { reportInput: true });
  if (!parsed.success) return { ok: false, problems: [...literal, ...problemsOf(parsed.error.issues)] };
  const file = parsed.data;
  const { prices, problems: price_problems } = priceBook(file.prices);
  const { engines, problems: engine_problems } = openEngines(file, deps);
  const problems = [...literal, ...engine_problems, ...price_problems];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, setup: { engines, off: file.off, prices } };
}

function openEngines(file: EnginesFile, deps: ReadingEngines): { engines: UpstreamEngine[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const opened = new Map<string, AdapterParts>();
  for (const [name, entry] of Object.entries(file.engines)) {
    const parts = openEngine(`engines.${name}`, entry, deps);
    if (Array.isArray(parts)) problems.push(...parts);
    else opened.set(name, parts);
  }
  const engines: UpstreamEngine[] = [];
  for (const assignment of assignmentsOf(file, problems)) {
    const entry = file.engines[assignment.engine];
    const path = assignment.layers[0]?.path ?? '';
    if (!entry) {
      problems.push({ path: `${path}.engine`, message: `is “${assignment.engine}”, which is not among the engines` });
      continue;
    }
    const made = makeEngine(assignment, entry, opened.get(assignment.engine));
    if (Array.isArray(made)) problems.push(...made);
    else if (made) engines.push(made);
  }
  return { engines, problems };
}
