import { readFile } from 'node:fs/promises';
import {
  EngineError,
  type EngineJob,
  type ResolvedReference,
  configurationError,
} from '#server/models/engine/engine.ts';

interface MappedReference {
  path: string;
  url: string;
  role: string | null;
  kind: 'image' | 'video' | 'audio';
  mime_type: string;
  extension: string;
  size_bytes: number;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
}

export interface MappingContext {
  readonly data: Readonly<Record<string, unknown>>;
  /** `$dataUri(reference)` takes an item of `references` or its path. */
  readonly functions: Readonly<Record<string, (argument: unknown) => unknown>>;
}

const MAX_DATA_URI_BYTES = 64 * 1024 * 1024;

/** @param extra the adapter's additions, such as its last response */
export function createMappingContext(
  job: Pick<EngineJob, 'task' | 'model' | 'input'> & {
    references?: EngineJob['references'];
    submit_key?: string;
  },
  extra: Readonly<Record<string, unknown>> = {},
): MappingContext {
  const { task, model, input, references = [], submit_key } = job;
  return {
    data: deepFreeze(
      structuredClone({ task, model, input, references: references.map(toMappedReference), submit_key, ...extra }),
    ),
    functions: { dataUri: (argument) => dataUri(references, argument) },
  };
}

function toMappedReference({ path, url, role, media }: ResolvedReference): MappedReference {
  const { kind, mime_type, extension, size_bytes, width, height, duration_seconds } = media;
  return { path, url, role, kind, mime_type, extension, size_bytes, width, height, duration_seconds };
}

async function dataUri(references: readonly ResolvedReference[], argument: unknown): Promise<string | undefined> {
  const reference = findReference(references, argument, '$dataUri');
  if (reference && reference.media.size_bytes > MAX_DATA_URI_BYTES) {
    throw new EngineError('invalid_media', 'A file of the input is too large for this model.');
  }
  return reference && `data:${reference.media.mime_type};base64,${await readFile(reference.file, 'base64')}`;
}

/** Resolves an item of `references` or its path; undefined for undefined. @throws {EngineError} for anything else */
export function findReference(
  references: readonly ResolvedReference[],
  argument: unknown,
  caller: string,
): ResolvedReference | undefined {
  if (argument === undefined) return undefined;
  const pathArgument =
    typeof argument === 'object' && argument !== null && 'path' in argument ? argument.path : argument;
  const reference = references.find(({ path }) => path === pathArgument);
  if (reference) return reference;
  throw configurationError(`${caller} takes a reference or its path, not ${JSON.stringify(argument)?.slice(0, 100)}`);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
