import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { EngineResult, ResolvedReference } from '#server/models/engine/engine.ts';
import { linkOrCopy } from '#server/platform/core/link-or-copy.ts';
import { readJobProvider } from '#server/models/connections/read-job-provider.ts';
import type { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { modelName } from '#contract/model-catalog.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type SignedFile, signBeside, signFile, type Signing } from '#server/platform/media/credentials/sign-file.ts';
import { FORMATS } from '#server/platform/media/formats.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { shrinkImage } from '#server/platform/media/picture-jobs.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { detectFormat } from '#server/platform/media/sniff.ts';
import { extractPoster } from '#server/platform/media/video-derivatives.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { citeCredentials, collectSources, readStore } from './collect-sources.ts';
import { type DescribedResult, describeResult, labelResult, type Maker, type ResultSource } from './describe-result.ts';
import { createSalt, hashRecord } from './record-hash.ts';

export type CredentialDraft = Omit<typeof assetCredentials.$inferInsert, 'asset_id' | 'created_at'>;

export interface SignableResult extends Pick<EngineResult, 'files' | 'originals'> {
  /** Files of the references that are still here. */
  references?: readonly ResolvedReference[] | undefined;
}

interface SignedOutput {
  asset_id: string;
  media: MediaFileInfo;
  /** Among the files of the result. */
  index: number;
}

export interface SigningOutcome {
  credentials: CredentialDraft;
  /** Credentials of a source that the file does not have. */
  has_lost: boolean;
}

interface SigningOptions {
  /** For temporary files. */
  folder: string;
  signal: AbortSignal;
  /** `signBeside` leaves the files as they are. */
  sign?: ((using: Signing, signed: SignedFile) => Promise<Buffer | null>) | undefined;
}

/** Signs one file of a result. @throws the signal's reason */
export type OutputSigner = (output: SignedOutput) => Promise<SigningOutcome>;

/**
 * Prepares the signing of a result's files. A file that can't be signed is stored unsigned.
 * @throws {StorageError} when the sources can't be read; the signal's reason
 */
export async function openSigner(
  deps: Deps,
  row: GenerationRow,
  { files, originals = [], references = [] }: SignableResult,
  { folder, signal, sign = signFile }: SigningOptions,
): Promise<OutputSigner> {
  const sources = await collectSources(deps, row, references, folder, signal);
  const maker: Maker = row.lane === 'generation.upstream' ? 'model' : row.model === null ? 'tool' : 'preview';
  const provider = maker === 'model' ? await findProvider(deps, row) : null;
  const prompt = await findShownPrompt(deps, row);
  const { signing, media: tools, log, clock } = deps;
  const options = { owner: row.created_by, signal };
  const ai = labelResult({ row, maker, sources });
  const isLost = sources.some(({ is_lost }) => is_lost);

  return async ({ asset_id, media, index }) => {
    const file = files[index] ?? '';
    const salt = createSalt();
    const record = hashRecord(row, salt);
    const unsigned = { place: 'none', ai, record_salt: salt, sidecar: null } as const;
    try {
      const delivered = originals[index] ?? file;
      const original = maker === 'model' ? await findOriginal(delivered, join(folder, `original-${index}`)) : null;
      const { statement, ingredients } = describeResult({
        row,
        model_name: row.model === null ? null : modelName(deps.offering.current(), row.model),
        maker,
        provider,
        sources,
        original,
        is_converted: Boolean(originals[index]),
        generation: {
          task: row.task,
          record,
          ...(row.model === null ? {} : { model: row.model }),
          ...(provider === null ? {} : { provider }),
          ...(prompt === null ? {} : { prompt }),
        },
        title: `${asset_id}.${media.extension}`,
        at: clock.now(),
      });
      const thumbnail = await createThumbnail(deps, file, media, join(folder, `thumbnail-${index}`), signal);
      const using: Signing = { tools, signer: await signing.signer(), trust: await signing.trust(), options };
      const { mime_type, size_bytes } = media;
      const signed: SignedFile = { file, mime_type, size_bytes, statement, ingredients, thumbnail };
      const { sidecar, has_lost } = await signSomehow(using, signed, sign, (error) =>
        log.warn({ err: error, generation_id: row.id }, 'result could not be signed as it should'),
      );
      const place = sidecar ? 'sidecar' : 'embedded';
      return {
        credentials: { ...unsigned, place, sidecar: sidecar?.toString('base64') ?? null },
        has_lost: isLost || has_lost,
      };
    } catch (error) {
      signal.throwIfAborted();
      log.error({ err: error, generation_id: row.id }, 'result is stored without content credentials');
      return { credentials: unsigned, has_lost: isLost || sources.some(hasCredentials) };
    }
  };
}

const hasCredentials = ({ file, store }: Pick<ResultSource, 'file' | 'store'>): boolean =>
  file !== undefined || store !== undefined;

/** Credentials of a source may be faulty, and a file such that the library can't write into it. */
async function signSomehow(
  using: Signing,
  signed: SignedFile,
  sign: NonNullable<SigningOptions['sign']>,
  warn: (error: MediaError) => void,
): Promise<{ sidecar: Buffer | null; has_lost: boolean }> {
  const bare = { ...signed, ingredients: signed.ingredients.map(({ file: _file, store: _store, ...each }) => each) };
  const hasLost = signed.ingredients.some(hasCredentials);
  const attempts = [
    async () => ({ sidecar: await sign(using, signed), has_lost: false }),
    async () => ({ sidecar: await sign(using, bare), has_lost: hasLost }),
  ];
  for (const attempt of attempts)
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      warn(error);
    }
  return { sidecar: await signBeside(using, bare), has_lost: hasLost };
}

/** What a provider delivered, if it says what it is. Signing changes the file, so it is linked. */
async function findOriginal(file: string, target: string): Promise<DescribedResult['original']> {
  const store = await readStore(file);
  if (!store) return null;
  await linkOrCopy(file, target);
  const cited = await citeCredentials({ file: target, store, isChecked: false }, `${target}.c2pa`);
  const { mime_type } = FORMATS[await detectFormat(file)];
  return { title: 'Result of the provider', mime_type, ...cited };
}

async function findProvider({ db }: Deps, row: GenerationRow): Promise<string | null> {
  const [job] = await db
    .select({ connection_id: upstreamJobs.connection_id })
    .from(upstreamJobs)
    .where(eq(upstreamJobs.generation_id, row.id));
  return (await readJobProvider(db, job?.connection_id ?? null, row))?.name ?? null;
}

/** null: the organization does not show prompts in credentials, or there is none. */
async function findShownPrompt({ db }: Deps, { organization_id, input }: GenerationRow): Promise<string | null> {
  const [organization] = await db
    .select({ isShown: organizations.prompt_in_credentials })
    .from(organizations)
    .where(eq(organizations.id, organization_id));
  const { prompt } = input;
  return organization?.isShown && typeof prompt === 'string' ? prompt : null;
}

const THUMBNAIL_WIDTH = 240;

/** @returns a WebP; null for sound, and where none can be made */
async function createThumbnail(
  { media: tools }: Deps,
  file: string,
  { kind, width, height, duration_seconds, isHdr = false }: MediaFileInfo,
  target: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (kind === 'audio') return null;
  const [thumbnail, poster] = [`${target}.webp`, `${target}.png`];
  try {
    if (kind === 'video') {
      const video = { file, width: width ?? 0, height: height ?? 0, duration_seconds: duration_seconds ?? 0, isHdr };
      await extractPoster(tools, video, poster, { side: THUMBNAIL_WIDTH, isAwaited: true, signal });
    }
    const picture = kind === 'video' ? poster : file;
    await shrinkImage(tools, picture, { file: thumbnail, width: THUMBNAIL_WIDTH }, { signal });
    return thumbnail;
  } catch (error) {
    if (error instanceof MediaError) return null;
    throw error;
  }
}
