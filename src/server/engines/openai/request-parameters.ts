import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { EngineError, type ResolvedReference } from '../engine.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import type { UpstreamEngineJob } from '../upstream.ts';
import { isRecord } from '../upstream-errors.ts';

/** What stands for a file until the parameters are sent. */
export type FilePlaceholder = (reference: ResolvedReference) => string;

export interface RequestParameters {
  values: Readonly<Record<string, unknown>>;
  /** By what stands for them in `values`. */
  files: ReadonlyMap<string, ResolvedReference>;
}

/**
 * The upstream's parameters for a job: by the operator's expression, else by `preset`.
 * @throws {EngineError} where the expression fails or gives no object
 */
export async function buildParameters(
  job: UpstreamEngineJob,
  request: Mapping | undefined,
  preset: (fileOf: FilePlaceholder) => Record<string, unknown>,
): Promise<RequestParameters> {
  const files = new Map(job.references.map((reference) => [`file:${randomUUID()}`, reference]));
  const names = new Map([...files].map(([name, reference]) => [reference, name]));
  const fileOf: FilePlaceholder = (reference) => names.get(reference) ?? '';
  if (!request) return { values: preset(fileOf), files };
  const values = await request(withFileFunction(createMappingContext(job), job.references, fileOf));
  if (isRecord(values)) return { values, files };
  throw new EngineError('engine_failed', 'How this engine is set up does not fit the request. Tell the operator.', {
    cause: new Error('The expression of `request` gives no object.'),
  });
}

/** The request's body: JSON, or a form where there are files. Lists become fields named `name[]`, as the upstream has it. */
export async function buildBody({ values, files }: RequestParameters): Promise<{ json: unknown } | { body: FormData }> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const isFile = (value: unknown): boolean => typeof value === 'string' && files.has(value);
  if (!entries.some(([, value]) => [value].flat().some(isFile))) return { json: Object.fromEntries(entries) };
  const form = new FormData();
  for (const [name, value] of entries) {
    for (const part of [value].flat()) {
      const field = Array.isArray(value) ? `${name}[]` : name;
      const file = typeof part === 'string' ? files.get(part) : undefined;
      if (file) form.append(field, await openAsBlob(file.file, { type: file.media.mime_type }), fileName(file));
      else form.append(field, typeof part === 'object' ? JSON.stringify(part) : String(part));
    }
  }
  return { body: form };
}

const fileName = ({ path, media }: ResolvedReference): string => `${path.replaceAll('.', '-')}.${media.extension}`;
