import { WasmReader } from '@contentauth/c2pa-wasm';
import * as z from 'zod/mini';
import type { AiLabel, CredentialStep, StepProblem } from '#contract/resources/credentials.ts';
import { isLibraryFailure, librarySettings, STORE_FORMAT, withFile } from './c2pa-library.ts';
import type { OwnTrust } from '#server/platform/credentials/signing-authority.ts';
import { TooManyPartsError } from '#server/platform/media/structure/walk-structure.ts';
import { assertBounded } from './assert-bounded.ts';
import type { InspectJob } from './credential-job.ts';
import { emptyInspection, type Inspection, tooComplexInspection } from './credential-protocol.ts';
import { createAiLabeler, findOwn, orderManifests } from './manifest-graph.ts';
import { GENERATION_ASSERTION, GenerationAssertion } from './generation-assertion.ts';
import { collectProblems, ingredientFailures, problemOf } from './history-problems.ts';
import { readIdentities } from './read-identities.ts';
import { describeState } from './describe-state.ts';
import { type ManifestStore, readActions, readStore, type StoredManifest } from './manifest-store.ts';

const MAX_STEPS = 50;
const MAX_ITEMS = 40;
const MAX_CHARACTERS = 300;
const MAX_PROMPT_CHARACTERS = 8_000;
const MAX_THUMBNAIL_BYTES = 200_000;
const MAX_THUMBNAILS_BYTES = 2_000_000;
const THUMBNAIL_FORMATS = ['image/jpeg', 'image/png', 'image/webp'];

/** Runs in the process of checks. */
export async function runInspectJob({ file, format, trust }: InspectJob): Promise<Inspection> {
  try {
    await assertBounded(file, format);
    const reader = await withFile(file, (blob) => WasmReader.fromBlob(format, blob, librarySettings(trust)));
    try {
      return describe(reader, trust, format === STORE_FORMAT);
    } finally {
      reader.free();
    }
  } catch (error) {
    if (error instanceof TooManyPartsError) return tooComplexInspection();
    if (isLibraryFailure(error)) throw error;
    if (isNoManifest(error)) return emptyInspection('none', 'This file has no content credentials.');
    return emptyInspection('invalid', UNREADABLE_MESSAGE);
  }
}

const UNREADABLE_MESSAGE = 'The content credentials of this file can’t be read.';

const isNoManifest = (error: unknown): boolean => /JumbfNotFound|ManifestNotFound|UnsupportedType/i.test(String(error));

function describe(reader: WasmReader, trust: OwnTrust, isStoreAlone: boolean): Inspection {
  const store = readStore(reader);
  const labels = orderManifests(store);
  const listed = labels.slice(0, MAX_STEPS);
  const own = findOwn(store, trust);
  const labelAi = createAiLabeler(store);
  const readThumbnail = createThumbnailReader(reader);
  const problems = collectProblems(store, labels);
  const context = { listed, own, problems, labelAi, readThumbnail };
  const steps = listed.map((label) => describeStep(store, label, context));
  const active = store.manifests[store.active_manifest ?? ''];
  return {
    ...describeState(store, labels, isStoreAlone),
    ai: steps[0]?.ai ?? null,
    steps,
    has_more_steps: labels.length > listed.length,
    record_hash: active ? (readGeneration(active)?.record ?? null) : null,
    binding: isStoreAlone ? readBinding(reader, store) : null,
  };
}

const cut = (value: string | undefined, most = MAX_CHARACTERS): string | null => value?.slice(0, most) ?? null;

/** Later years have more than four digits. */
const END_OF_YEARS_MS = Date.UTC(10_000, 0);

/** @returns ISO 8601; null for what is no time */
function readTime(value = ''): string | null {
  const atMs = Date.parse(value);
  const isReadable = atMs >= 0 && atMs < END_OF_YEARS_MS;
  return isReadable ? new Date(atMs).toISOString() : null;
}

const RELATIONSHIPS = { parentOf: 'parent', componentOf: 'part', inputTo: 'input' } as const;
const toRelationship = (name: string | undefined) =>
  RELATIONSHIPS[name as keyof typeof RELATIONSHIPS] ?? RELATIONSHIPS.inputTo;

interface StepContext {
  listed: readonly string[];
  own: ReadonlySet<string>;
  problems: ReadonlyMap<string, StepProblem>;
  labelAi: (label: string) => AiLabel | null;
  readThumbnail: (manifest: StoredManifest) => string | null;
}

function describeStep(store: ManifestStore, label: string, context: StepContext): CredentialStep {
  const manifest = store.manifests[label];
  if (!manifest) throw new Error('A listed manifest is missing.');
  const { listed, own, problems, labelAi, readThumbnail } = context;
  const generation = own.has(label) ? readGeneration(manifest) : null;
  const { signature_info: signature } = manifest;
  const actions = readActions(manifest);
  return {
    title: cut(manifest.title),
    generator: cut(manifest.claim_generator_info[0]?.name),
    signer: cut(signature?.common_name ?? signature?.issuer),
    is_own: own.has(label),
    signed_at: readTime(signature?.time) ?? readTime(actions[0]?.when),
    problem: problems.get(label) ?? null,
    identities: readIdentities(store, label)
      .slice(0, MAX_ITEMS)
      .map(({ name, is_faulty }) => ({ name: cut(name), is_faulty })),
    task: generation?.task ?? null,
    model: cut(generation?.model),
    provider: cut(generation?.provider),
    prompt: cut(generation?.prompt, MAX_PROMPT_CHARACTERS),
    actions: actions.slice(0, MAX_ITEMS).map(({ action, when, softwareAgent, digitalSourceType }) => ({
      action: action.slice(0, MAX_CHARACTERS),
      at: readTime(when),
      software: cut(typeof softwareAgent === 'string' ? softwareAgent : softwareAgent?.name),
      source_type: cut(digitalSourceType?.split('/').at(-1)),
    })),
    ai: labelAi(label),
    thumbnail: readThumbnail(manifest),
    ingredients: manifest.ingredients.slice(0, MAX_ITEMS).map((ingredient) => {
      const { title, relationship, active_manifest = '' } = ingredient;
      return {
        title: cut(title),
        relationship: toRelationship(relationship),
        step: listed.includes(active_manifest) ? listed.indexOf(active_manifest) : null,
        problem: problems.get(active_manifest) ?? problemOf(ingredientFailures(ingredient)),
      };
    }),
  };
}

const readGeneration = ({ assertions }: StoredManifest): GenerationAssertion | null =>
  GenerationAssertion.safeParse(assertions.find(({ label }) => label === GENERATION_ASSERTION)?.data).data ?? null;

function createThumbnailReader(reader: WasmReader) {
  let left = MAX_THUMBNAILS_BYTES;
  return ({ thumbnail }: StoredManifest): string | null => {
    if (!thumbnail || !THUMBNAIL_FORMATS.includes(thumbnail.format)) return null;
    try {
      const bytes = reader.resourceToBytes(thumbnail.identifier);
      if (bytes.length > Math.min(MAX_THUMBNAIL_BYTES, left)) return null;
      left -= bytes.length;
      return `data:${thumbnail.format};base64,${Buffer.from(bytes).toString('base64')}`;
    } catch {
      // A picture that is named but missing is only not shown; the state says whether the manifest is faulty.
      return null;
    }
  };
}

const CrStore = z.object({
  manifests: z.array(z.object({ label: z.string(), assertions: z.record(z.string(), z.unknown()) })),
});
const Hash = z.object({ hash: z.string() });

/** Only this form of the library has the hash: `b64'…'`. */
function readBinding(reader: WasmReader, { active_manifest }: ManifestStore): Inspection['binding'] {
  const { manifests = [] } = CrStore.safeParse(JSON.parse(reader.crJson())).data ?? {};
  const { assertions = {} } = manifests.find(({ label }) => label === active_manifest) ?? {};
  const [label, data] = Object.entries(assertions).find(([name]) => name.startsWith('c2pa.hash.')) ?? [];
  const hash = /^b64'([^']*)'$/.exec(Hash.safeParse(data).data?.hash ?? '')?.[1];
  return label === undefined || hash === undefined ? null : { label, hash };
}
