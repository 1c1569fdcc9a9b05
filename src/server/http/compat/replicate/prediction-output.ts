import { TASKS } from '#contract/catalog.ts';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { isJson, jsonAt, type Json } from '#contract/json-value.ts';
import type { Generation } from '#contract/resources/generation.ts';

/** `text`: a list of parts. `object`: files under names of the schema, beside data. */
export type OutputShape =
  | { kind: 'one' | 'list' | 'text' | 'data' }
  | { kind: 'object'; files: readonly { name: string; many: boolean }[] };

/** Replicate’s schemas of Google’s image models say one file; those of other image models say a list. */
const ONE_IMAGE: readonly (AnyModelId | null)[] = ['imgmodel-b-2', 'imgmodel-b-2-lite', 'imgmodel-b-pro'];

export function outputShape(task: TaskId, model: AnyModelId | null, added: AddedModelVersion | null): OutputShape {
  if (added) return addedShape(added);
  const { media_type, output } = TASKS[task];
  if (output.max_assets === 0) return { kind: 'data' };
  if (model === null) return { kind: output.max_assets === 1 ? 'one' : 'list' };
  return { kind: media_type === 'image' && !ONE_IMAGE.includes(model) ? 'list' : 'one' };
}

function addedShape({ normalized, provider_data }: AddedModelVersion): OutputShape {
  const { files } = normalized.output;
  if (jsonAt(provider_data, 'is_text') === true) return { kind: 'text' };
  if (files.length === 0) return { kind: 'data' };
  const named = files.map(({ path, many }) => ({ name: /^(\w+)(?:\[\])?$/.exec(path)?.[1] ?? '', many }));
  if (named.every(({ name }) => name !== '')) return { kind: 'object', files: named };
  return { kind: files.length > 1 || files[0]?.many ? 'list' : 'one' };
}

/** A result that does not fit the schema is a list of its files, or its data. */
export function presentOutput(shape: OutputShape, { assets, data }: Generation['output']): unknown {
  const urls = assets.map(({ url }) => url);
  const rest = isJson(data) && Object.keys(data).length === 1 && 'output' in data ? data['output'] : data;
  if (shape.kind === 'text') return typeof rest === 'string' ? [rest] : rest;
  if (urls.length === 0) return rest;
  if (shape.kind === 'one' && urls.length === 1) return urls[0];
  return shape.kind === 'object' ? { ...data, ...nameFiles(shape.files, urls) } : urls;
}

function nameFiles(files: readonly { name: string; many: boolean }[], urls: readonly string[]): Json {
  const [first] = files;
  if (files.length === 1 && first) return { [first.name]: first.many ? urls : urls[0] };
  if (files.length !== urls.length || files.some(({ many }) => many)) return { files: urls };
  return Object.fromEntries(files.map(({ name }, index) => [name, urls[index]]));
}

const FILE = { type: 'string', format: 'uri' };

export function describeOutput(shape: OutputShape): Json {
  const title = 'Output';
  if (shape.kind === 'one') return { ...FILE, title };
  if (shape.kind === 'list') return { type: 'array', items: FILE, title };
  if (shape.kind === 'text') return { type: 'array', items: { type: 'string' }, title };
  if (shape.kind !== 'object') return { title };
  const properties = shape.files.map(({ name, many }) => [name, many ? { type: 'array', items: FILE } : FILE]);
  return { type: 'object', properties: Object.fromEntries(properties), title };
}
