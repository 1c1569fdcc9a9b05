import { mkdir, open, readFile, readdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Config } from '#server/platform/core/settings/config.ts';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import { syncPath } from '#server/platform/storage/durable-files.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import type { UpstreamCompletion } from '#server/studio/generations/upstream/upstream-job.ts';
import type { CompletedResult, UpstreamResult } from './completed-result.ts';

type SpoolConfig = Pick<Config, 'mediaDir' | 'minFreeBytes'>;

/** Generations leave this share of `MIN_FREE_BYTES` free, because the database may be on the same disk. */
const FREE_SPACE_SHARE = 1 / 4;
const MANIFEST = 'result.json';

type Json<T> = Omit<T, 'completion' | 'received_at'>;
interface Manifest extends Omit<CompletedResult, 'upstream'> {
  upstream:
    | (Json<UpstreamResult> & {
        completion: Omit<UpstreamCompletion, 'cost_micro_usd'> & { cost_micro_usd: string | null };
        received_at: string;
      })
    | null;
}

const spoolRoot = (mediaDir: string) => join(mediaDir, 'spool');
const spoolFolder = (mediaDir: string, generationId: string) => join(spoolRoot(mediaDir), generationId);

export async function hasFreeSpace({ mediaDir, minFreeBytes }: SpoolConfig): Promise<boolean> {
  const { bavail, bsize } = await statfs(mediaDir);
  return bavail * bsize >= minFreeBytes * FREE_SPACE_SHARE;
}

/**
 * Moves the files of a result to a folder that survives this process. Takes no further space.
 * @returns false if the disk is nearly full
 */
export async function spoolResult(
  config: SpoolConfig,
  generationId: string,
  result: CompletedResult,
): Promise<boolean> {
  if (!(await hasFreeSpace(config))) return false;
  const target = spoolFolder(config.mediaDir, generationId);
  await mkdir(spoolRoot(config.mediaDir), { recursive: true });
  await withTempDir(config.mediaDir, async (workDir) => {
    const folder = join(workDir, 'result');
    await mkdir(folder);
    const move = async (file: string, name: string): Promise<string> => {
      await rename(file, join(folder, name));
      await syncPath(join(folder, name));
      return name;
    };
    const files: string[] = [];
    const originals: (string | null)[] = [];
    for (const [index, file] of result.files.entries()) {
      const original = result.originals?.[index];
      files.push(await move(file, `output-${index}${extname(file)}`));
      originals.push(original ? await move(original, `original-${index}${extname(file)}`) : null);
    }
    const { references: _references, ...kept } = result;
    await writeManifest(join(folder, MANIFEST), { ...kept, files, originals, upstream: toJson(result.upstream) });
    await rm(target, { recursive: true, force: true });
    await rename(folder, target);
  });
  return true;
}

/** @returns null if this disk has no result of the generation */
export async function readSpooledResult(mediaDir: string, generationId: string): Promise<CompletedResult | null> {
  const folder = spoolFolder(mediaDir, generationId);
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  });
  if (text === null) return null;
  const { files, originals, upstream, ...result } = JSON.parse(text) as Manifest;
  return {
    ...result,
    is_spooled: true,
    files: files.map((name) => join(folder, basename(name))),
    originals: originals?.map((name) => (name === null ? null : join(folder, basename(name)))),
    upstream: upstream && fromJson(upstream),
  };
}

export const deleteSpooledResult = (mediaDir: string, generationId: string): Promise<void> =>
  rm(spoolFolder(mediaDir, generationId), { recursive: true, force: true });

/** @returns ids of generations */
export const listSpooledResults = (mediaDir: string): Promise<string[]> =>
  readdir(spoolRoot(mediaDir)).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  });

const toJson = (upstream: UpstreamResult | null): Manifest['upstream'] =>
  upstream && {
    ...upstream,
    completion: { ...upstream.completion, cost_micro_usd: upstream.completion.cost_micro_usd?.toString() ?? null },
    received_at: upstream.received_at.toISOString(),
  };

const fromJson = (upstream: NonNullable<Manifest['upstream']>): UpstreamResult => {
  const { cost_micro_usd, cost_basis, handle } = upstream.completion;
  const cost = { cost_micro_usd: cost_micro_usd === null ? null : BigInt(cost_micro_usd), cost_basis };
  return { ...upstream, completion: { ...cost, handle }, received_at: new Date(upstream.received_at) };
};

async function writeManifest(file: string, manifest: Manifest): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(JSON.stringify(manifest));
    await handle.sync();
  } finally {
    await handle.close();
  }
}
