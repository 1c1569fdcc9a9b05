import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { ProviderId } from '#contract/providers.ts';
import { extractReferences } from '#contract/task-input.ts';
import type { AddedModelSource, ModelAddress } from '#server/models/providers/added-source.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';

const signal = new AbortController().signal;
const EXTENSIONS = {
  image: ['image/png', 'png'],
  video: ['video/mp4', 'mp4'],
  audio: ['audio/mpeg', 'mp3'],
} as const;

/** Reads and normalizes a model as an administrator adds it. */
export async function readAddedModel(
  source: AddedModelSource,
  connection: PresetConnection,
  address: Omit<ModelAddress, 'provider_version'>,
  provider: ProviderId,
) {
  const snapshot = await source.read(connection, { provider_version: null, ...address }, signal);
  // A snapshot is stored before it is normalized.
  const read = await source.normalize(JSON.parse(JSON.stringify(snapshot)), {});
  const version: AddedModelVersion = {
    id: 'added-test',
    version: 1,
    task: 'other.run',
    name: snapshot.name,
    provider,
    provider_model: snapshot.provider_model,
    provider_version: snapshot.provider_version,
    normalized: read.normalized,
    provider_data: read.provider_data,
    markup_percent: 0,
    price: { ...RUN_PRICE, unit_price_micro_usd: 1_000 },
  };
  return { ...read, snapshot, version: JSON.parse(JSON.stringify(version)) as AddedModelVersion };
}

/** A job of an added model whose input its contract accepts. */
export async function createAddedJob(
  { id, version, task, normalized }: AddedModelVersion,
  input: Record<string, unknown>,
  workDir: string,
  submit_key = 'gen_1',
): Promise<UpstreamEngineJob> {
  const parsed = parseInput(normalized.contract, input, null);
  if (!parsed.ok) return expect.fail(JSON.stringify(parsed));
  const references = await Promise.all(
    extractReferences(normalized.contract, parsed.input).map(async ({ path, url, role, kind, mask }) => {
      const [mime_type, extension] = EXTENSIONS[kind];
      const file = join(workDir, `reference-${path}.${extension}`);
      const bytes = `the file at ${path}`;
      await writeFile(file, bytes);
      const size = { size_bytes: bytes.length, width: null, height: null, duration_seconds: null, fps: null };
      return { path, url, role, mask, file, media: { kind, mime_type, extension, ...size, has_audio: false } };
    }),
  );
  return {
    generation_id: submit_key,
    submit_key,
    task,
    model: id,
    model_version: version,
    input: parsed.input,
    references,
    workDir,
    signal,
    onProgress: () => undefined,
  };
}
