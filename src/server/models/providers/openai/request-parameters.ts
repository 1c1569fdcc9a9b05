import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { type ResolvedReference, configurationError } from '#server/models/engine/engine.ts';
import { withFileFunction } from '#server/models/engine/mapping/build-input-with-files.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { isRecord } from '#server/models/engine/upstream-errors.ts';

export type FilePlaceholder = (reference: ResolvedReference) => string;

export interface RequestParameters {
  values: Readonly<Record<string, unknown>>;
  files: ReadonlyMap<string, ResolvedReference>;
}

/** Builds parameters with the operator's expression, else with `preset`. @throws {EngineError} */
export async function buildParameters(
  job: UpstreamEngineJob,
  request: Mapping | undefined,
  preset: (nameReference: FilePlaceholder) => Record<string, unknown>,
): Promise<RequestParameters> {
  const files = new Map(job.references.map((reference) => [`file:${randomUUID()}`, reference]));
  const placeholders = new Map([...files].map(([name, reference]) => [reference, name]));
  const nameReference: FilePlaceholder = (reference) => placeholders.get(reference) ?? '';
  if (!request) return { values: preset(nameReference), files };
  const values = await request(withFileFunction(createMappingContext(job), job.references, nameReference));
  if (isRecord(values)) return { values, files };
  throw configurationError('The expression of `request` gives no object.');
}

/** Encodes JSON, or a form when there are files. Lists become fields named `name[]`, as the API requires. */
export async function buildBody({ values, files }: RequestParameters): Promise<{ json: unknown } | { body: FormData }> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const isFile = (value: unknown): boolean => typeof value === 'string' && files.has(value);
  if (!entries.some(([, value]) => [value].flat().some(isFile))) return { json: Object.fromEntries(entries) };
  const form = new FormData();
  for (const [name, value] of entries) {
    for (const item of [value].flat()) {
      const field = Array.isArray(value) ? `${name}[]` : name;
      const file = typeof item === 'string' ? files.get(item) : undefined;
      if (file) form.append(field, await openAsBlob(file.file, { type: file.media.mime_type }), fileName(file));
      else form.append(field, typeof item === 'object' ? JSON.stringify(item) : String(item));
    }
  }
  return { body: form };
}

const fileName = ({ path, media }: ResolvedReference): string => `${path.replaceAll('.', '-')}.${media.extension}`;
