import * as z from 'zod/mini';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import type { PolledJob } from '#server/models/engine/upstream.ts';
import { isRecord } from '#server/models/engine/upstream-errors.ts';
import type { Prediction } from './prediction.ts';

export interface PredictionOutputs {
  urls: string[];
  data: Record<string, unknown> | null;
}

const FILE_URL = /^(https?:\/\/|data:)/i;
const urlList = z.union([
  z.array(z.string()),
  z.pipe(
    z.string(),
    z.transform((url) => [url]),
  ),
]);
const mappedOutputs = z.union([
  z.pipe(
    urlList,
    z.transform((urls) => ({ urls, data: null })),
  ),
  z.pipe(
    z.object({ files: z.optional(urlList), data: z.nullish(z.record(z.string(), z.unknown())) }),
    z.transform(({ files, data }) => ({ urls: files ?? [], data: data ?? null })),
  ),
]);

/**
 * Without a mapping: every URL in the output. @returns null when a mapping returns anything but files
 * @param mapping returns a URL, a list of URLs or `{ files, data }` @throws {EngineError} when it fails
 */
export async function readPredictionOutputs(
  prediction: Prediction,
  job: PolledJob,
  mapping: Mapping | undefined,
): Promise<PredictionOutputs | null> {
  if (!mapping) return { urls: findUrls(prediction.output), data: null };
  const { id, output, metrics = null, logs = null } = prediction;
  const context = createMappingContext({ ...job, references: [] }, { prediction: { id, output, metrics, logs } });
  return mappedOutputs.safeParse(await mapping(context)).data ?? null;
}

function findUrls(output: unknown): string[] {
  if (typeof output === 'string') return FILE_URL.test(output) ? [output] : [];
  if (Array.isArray(output)) return output.flatMap(findUrls);
  return isRecord(output) ? Object.values(output).flatMap(findUrls) : [];
}
