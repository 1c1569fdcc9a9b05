import type { ModelId, TaskId } from '#contract/ids.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { MappingSyntaxError } from '#server/models/engine/mapping/expression.ts';
import { createUpstreamEngine, type UpstreamEngine } from '#server/models/engine/upstream.ts';
import { withoutMask } from '#server/models/providers/preset.ts';
import type { AdapterConnection } from './adapter-kind.ts';
import { ADAPTERS } from './adapters.ts';
import { type Assignment, omitKeys } from './assignments.ts';
import type { EngineEntry } from './engines-schema.ts';
import { type ValidationProblem, toValidationProblems } from '#server/platform/core/validation-problems.ts';

export interface EngineSetupDeps {
  openService: (base_url: string) => RemoteService;
  /** @returns null when the environment variable is not set */
  readEnv: (name: string) => string | null;
}

export const COMMON_ENGINE_OPTIONS = ['adapter', 'base_url', 'api_key_env', 'deadline_seconds'];

export function resolveConnection(
  path: string,
  entry: EngineEntry,
  { openService, readEnv }: EngineSetupDeps,
): AdapterConnection | ValidationProblem[] {
  const kind = ADAPTERS[entry.adapter];
  const problems: ValidationProblem[] = [];
  const baseUrl = entry.base_url ?? kind.base_url;
  if (baseUrl === null) problems.push({ path: `${path}.base_url`, message: 'is missing: the URL of the service' });
  const needsKey = kind.key === 'required' || (kind.key === 'at_usual_address' && entry.base_url === undefined);
  if (needsKey && entry.api_key_env === undefined)
    problems.push({
      path: `${path}.api_key_env`,
      message: 'is missing: the environment variable that contains the key',
    });
  const apiKey = entry.api_key_env === undefined ? null : readEnv(entry.api_key_env);
  if (entry.api_key_env !== undefined && apiKey === null)
    problems.push({ path: `${path}.api_key_env`, message: `is ${entry.api_key_env}, which is not set` });
  else if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey))
    problems.push({ path: `${path}.api_key_env`, message: `is ${entry.api_key_env}, whose value is not an API key` });
  for (const name of Object.keys(omitKeys(entry, [...COMMON_ENGINE_OPTIONS, ...kind.option_names])))
    problems.push({
      path: `${path}.${name}`,
      message: `is not an option of the adapter ${entry.adapter}`,
    });
  if (baseUrl === null || problems.length > 0) return problems;
  try {
    const deadlineMs = entry.deadline_seconds && entry.deadline_seconds * 1000;
    return { service: openService(baseUrl), api_key: apiKey, openService, deadlineMs };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return [{ path: `${path}.base_url`, message: `is not a valid URL: ${error.message}` }];
  }
}

/** @param connection undefined when the engine itself has problems, which are already reported */
export function createConfiguredEngine(
  { task, model, engine, layers }: Assignment,
  entry: EngineEntry,
  connection: AdapterConnection | undefined,
): UpstreamEngine | ValidationProblem[] | null {
  const kind = ADAPTERS[entry.adapter];
  const layersByPriority = [{ path: `engines.${engine}`, options: omitKeys(entry, COMMON_ENGINE_OPTIONS) }, ...layers];
  const mostSpecific = layersByPriority.at(-1)?.path ?? '';
  const validation = kind.validateOptions(Object.assign({}, ...layersByPriority.map(({ options }) => options)));
  if (!validation.ok) {
    const locate = (path: readonly PropertyKey[]) => {
      const layer = layersByPriority.findLast(({ options }) => Object.hasOwn(options, path[0] ?? ''));
      return [layer?.path ?? mostSpecific, ...path.map(String)].join('.');
    };
    return toValidationProblems(validation.issues, locate);
  }
  if (!connection) return null;
  const problem = kind.findProblem(task, connection.service.base_url);
  if (problem !== null) return [{ path: mostSpecific, message: problem }];
  try {
    const name = [engine, task, ...(model ? [model] : [])].join('/');
    const supports = (otherTask: TaskId, otherModel: ModelId | null) => otherTask === task && otherModel === model;
    const adapter = validation.create(connection);
    const restrictions = namesMask(entry, layersByPriority) ? undefined : withoutMask(task, [], `The engine ${engine}`);
    return createUpstreamEngine({ name, adapter, supports, restrictions, deadlineMs: connection.deadlineMs });
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    return [{ path: mostSpecific, message: error.message }];
  }
}

/** A request of the operator that does not name the mask would lose it, or send it as another image. */
function namesMask({ adapter }: EngineEntry, layers: readonly { options: object }[]): boolean {
  const text = JSON.stringify(layers.map(({ options }) => options));
  return /\bmask/i.test(text) || (adapter === 'openai' && !text.includes('"request"'));
}
