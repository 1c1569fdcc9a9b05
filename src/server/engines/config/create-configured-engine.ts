import type { ModelId, TaskId } from '#contract/ids.ts';
import { OutboundError } from '#server/net/outbound-error.ts';
import type { RemoteService } from '#server/net/remote-service.ts';
import { MappingSyntaxError } from '../mapping/expression.ts';
import { createUpstreamEngine, type UpstreamEngine } from '../upstream.ts';
import type { AdapterConnection } from './adapter-kind.ts';
import { ADAPTERS } from './adapters.ts';
import { type Assignment, omitKeys } from './assignments.ts';
import type { EngineEntry } from './engines-schema.ts';
import { type ValidationProblem, toValidationProblems } from '#server/core/validation-problems.ts';

export interface EngineSetupDeps {
  /** Opens the way to a service. @throws {OutboundError} */
  openService: (base_url: string) => RemoteService;
  /** The value of an environment variable; null where it is not set. */
  readEnv: (name: string) => string | null;
}

/** What an engine has whatever its adapter is. */
export const COMMON_ENGINE_OPTIONS = ['adapter', 'base_url', 'api_key_env', 'deadline_seconds'];

/** The service of an engine and its key, or what is wrong. */
export function resolveConnection(
  path: string,
  entry: EngineEntry,
  { openService, readEnv }: EngineSetupDeps,
): AdapterConnection | ValidationProblem[] {
  const kind = ADAPTERS[entry.adapter];
  const problems: ValidationProblem[] = [];
  const base_url = entry.base_url ?? kind.base_url;
  if (base_url === null)
    problems.push({ path: `${path}.base_url`, message: 'is missing: where does the service stand' });
  const needs_key = kind.key === 'required' || (kind.key === 'at_usual_address' && entry.base_url === undefined);
  if (needs_key && entry.api_key_env === undefined)
    problems.push({ path: `${path}.api_key_env`, message: 'is missing: it names the variable that holds the key' });
  const api_key = entry.api_key_env === undefined ? null : readEnv(entry.api_key_env);
  if (entry.api_key_env !== undefined && api_key === null)
    problems.push({ path: `${path}.api_key_env`, message: `is ${entry.api_key_env}, a variable that is not set` });
  else if (api_key !== null && !/^[\x21-\x7e]+$/.test(api_key))
    problems.push({ path: `${path}.api_key_env`, message: `is ${entry.api_key_env}, whose value is no API key` });
  for (const name of Object.keys(omitKeys(entry, [...COMMON_ENGINE_OPTIONS, ...kind.option_names])))
    problems.push({
      path: `${path}.${name}`,
      message: `is not known here: the adapter ${entry.adapter} has no such option`,
    });
  if (base_url === null || problems.length > 0) return problems;
  try {
    const deadline_ms = entry.deadline_seconds && entry.deadline_seconds * 1000;
    return { service: openService(base_url), api_key, deadline_ms };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return [{ path: `${path}.base_url`, message: `is not an address: ${error.message}` }];
  }
}

/** An engine for one task on one model, or what is wrong. @param parts undefined where the engine itself has problems, which are told already */
export function createConfiguredEngine(
  { task, model, engine, layers }: Assignment,
  entry: EngineEntry,
  parts: AdapterConnection | undefined,
): UpstreamEngine | ValidationProblem[] | null {
  const kind = ADAPTERS[entry.adapter];
  const all = [{ path: `engines.${engine}`, options: omitKeys(entry, COMMON_ENGINE_OPTIONS) }, ...layers];
  const nearest = all.at(-1)?.path ?? '';
  const checked = kind.validateOptions(Object.assign({}, ...all.map(({ options }) => options)));
  if (!checked.ok) {
    const locate = (path: readonly PropertyKey[]) => {
      const holder = all.findLast(({ options }) => Object.hasOwn(options, path[0] ?? ''));
      return [holder?.path ?? nearest, ...path.map(String)].join('.');
    };
    return toValidationProblems(checked.issues, locate);
  }
  if (!parts) return null;
  try {
    const name = [engine, task, ...(model ? [model] : [])].join('/');
    const supports = (asked: TaskId, on: ModelId | null) => asked === task && on === model;
    const adapter = checked.create(parts);
    return createUpstreamEngine({ name, adapter, supports, deadline_ms: parts.deadline_ms });
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    return [{ path: nearest, message: error.message }];
  }
}
