import type { OwnTrust } from '#server/platform/credentials/signing-authority.ts';
import { writeFileSync } from 'node:fs';
import { WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import { VERSION } from '#server/platform/core/version.ts';
import { librarySettings, releaseBytes, STORE_FORMAT, withFile } from './c2pa-library.ts';
import { assertBounded } from './assert-bounded.ts';
import type { AskForSignature, ManifestIngredient, SignJob } from './credential-job.ts';
import { isBindingFailure } from './history-problems.ts';
import { readStore, type ValidationResults } from './manifest-store.ts';

/**
 * Runs in the signing process. @throws {TooManyPartsError} for a file or a source that can't be read in bounded time
 * @returns the manifest store, base64; empty where it is in the output
 */
export async function runSignJob(job: SignJob, ask: AskForSignature): Promise<string> {
  const { statement, binding, output } = job;
  if (output !== null) await assertBounded(job.file, job.format);
  const builder = WasmBuilder.fromJson(
    JSON.stringify({
      claim_version: 2,
      claim_generator_info: [{ name: 'Emulsion', version: VERSION }],
      title: statement.title,
      format: job.format,
      assertions: [
        { label: 'c2pa.actions.v2', data: { actions: statement.actions } },
        ...Object.entries(statement.assertions).map(([label, data]) => ({ label, data })),
        ...(binding ? [binding] : []),
      ],
    }),
    librarySettings(job.trust),
  );
  for (const ingredient of job.ingredients) await addIngredient(builder, ingredient, job.trust);
  if (job.thumbnail !== null)
    await withFile(job.thumbnail, async (blob) => builder.setThumbnailFromBlob('image/webp', blob));
  const signer = {
    alg: job.alg,
    reserveSize: job.reserve_bytes,
    sign: async (claim: Uint8Array) =>
      new Uint8Array(Buffer.from(await ask(Buffer.from(claim).toString('base64')), 'base64')),
  };
  try {
    if (output === null) {
      builder.setNoEmbed(true);
      const { manifest } = await withFile(job.file, (blob) =>
        builder.signAndGetManifestBytes(signer, [], UNKNOWN_FORMAT, blob.slice(0, 1)),
      );
      return Buffer.from(manifest).toString('base64');
    }
    const signed = await withFile(job.file, (blob) => builder.sign(signer, [], job.format, blob));
    writeFileSync(output, signed);
    releaseBytes(signed.buffer);
    return '';
  } finally {
    builder.free();
  }
}

/** The library then writes no file, and keeps the binding that it is given. */
const UNKNOWN_FORMAT = 'application/octet-stream';

async function addIngredient(
  builder: WasmBuilder,
  { id, title, relationship, mime_type, file, store }: ManifestIngredient,
  trust: OwnTrust,
): Promise<void> {
  const definition = { title, relationship, format: mime_type, label: id };
  if (file !== undefined) {
    await assertBounded(file, mime_type);
    await withFile(file, (blob) => builder.addIngredientFromBlob(JSON.stringify(definition), mime_type, blob));
  } else if (store !== undefined) {
    await assertBounded(store, STORE_FORMAT);
    const validationResults = await checkStore(store, trust);
    await withFile(store, async (blob) => builder.addResourceFromBlob(id, blob));
    const manifestData = { format: STORE_FORMAT, identifier: id };
    builder.addIngredient(
      JSON.stringify({ ...definition, manifest_data: manifestData, validation_results: validationResults }),
    );
  } else builder.addIngredient(JSON.stringify(definition));
}

/** The results for a store whose file is not here, so they say nothing about the binding to it. */
async function checkStore(store: string, trust: OwnTrust): Promise<Pick<ValidationResults, 'activeManifest'>> {
  const reader = await withFile(store, (blob) => WasmReader.fromBlob(STORE_FORMAT, blob, librarySettings(trust)));
  try {
    const { activeManifest } = readStore(reader).validation_results;
    const failure = activeManifest.failure.filter((status) => !isBindingFailure(status));
    return { activeManifest: { ...activeManifest, failure } };
  } finally {
    reader.free();
  }
}
