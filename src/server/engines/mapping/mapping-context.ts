import { readFile } from 'node:fs/promises';
import { EngineError, type EngineJob, type ResolvedReference } from '../engine.ts';

/** A reference as expressions see it. Spec of `path` and `role`: `ResolvedReference` */
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

/** What an expression may read. Made once for a job, for any number of expressions. */
export interface MappingContext {
  /** Frozen: `{ task, model, input, references, submit_key? }` and what the adapter adds. */
  readonly data: Readonly<Record<string, unknown>>;
  /** `$dataUri(reference)`, a reference of `references` or its path: the file as a data URI. */
  readonly functions: Readonly<Record<string, (argument: unknown) => unknown>>;
}

const MAX_DATA_URI_BYTES = 64 * 1024 * 1024;

/** @param more what only this adapter knows, such as its answer */
export function createMappingContext(
  job: Pick<EngineJob, 'task' | 'model' | 'input'> & {
    /** Missing where a job is only asked for. */
    references?: EngineJob['references'];
    submit_key?: string;
  },
  more: Readonly<Record<string, unknown>> = {},
): MappingContext {
  const { task, model, input, references = [], submit_key } = job;
  return {
    data: deepFreeze(
      structuredClone({ task, model, input, references: references.map(toMappedReference), submit_key, ...more }),
    ),
    functions: { dataUri: (argument) => dataUri(references, argument) },
  };
}

function toMappedReference({ path, url, role, media }: ResolvedReference): MappedReference {
  const { kind, mime_type, extension, size_bytes, width, height, duration_seconds } = media;
  return { path, url, role, kind, mime_type, extension, size_bytes, width, height, duration_seconds };
}

async function dataUri(references: readonly ResolvedReference[], argument: unknown): Promise<string | undefined> {
  const found = findReference(references, argument, '$dataUri');
  if (found && found.media.size_bytes > MAX_DATA_URI_BYTES) {
    throw new EngineError('invalid_media', 'A file of the input is too large for what this model takes.');
  }
  return found && `data:${found.media.mime_type};base64,${await readFile(found.file, 'base64')}`;
}

/**
 * The reference that an expression gives to a function: one of `references`, or its path.
 * @param caller the function as the operator writes it, for the log
 * @returns undefined where the expression found nothing
 * @throws {EngineError} for anything else
 */
export function findReference(
  references: readonly ResolvedReference[],
  argument: unknown,
  caller: string,
): ResolvedReference | undefined {
  if (argument === undefined) return undefined;
  const named = typeof argument === 'object' && argument !== null && 'path' in argument ? argument.path : argument;
  const found = references.find(({ path }) => path === named);
  if (found) return found;
  throw invalidArgumentError(`${caller} takes a reference or its path, not ${JSON.stringify(argument)?.slice(0, 100)}`);
}

const invalidArgumentError = (detail: string) =>
  new EngineError('engine_failed', 'How this engine is set up does not fit the request. Tell the operator.', {
    cause: new Error(detail),
  });

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
