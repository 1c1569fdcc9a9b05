import type { AiLabel } from '#contract/resources/credentials.ts';
import type { OwnTrust } from '#server/platform/credentials/signing-authority.ts';
import { type ManifestStore, readActions, type StoredManifest, type ValidationResults } from './manifest-store.ts';

// Manifests name those of their ingredients, and any number of them may name the same one. Each walk here visits a
// manifest once: the number of paths doubles with every step.

/** The active manifest first, then those of its ingredients, the nearest first. */
export function orderManifests({ manifests, active_manifest }: ManifestStore): string[] {
  const ordered = new Set<string>(active_manifest !== undefined && manifests[active_manifest] ? [active_manifest] : []);
  for (const label of ordered)
    for (const { active_manifest: next } of manifests[label]?.ingredients ?? [])
      if (next !== undefined && manifests[next]) ordered.add(next);
  return [...ordered];
}

/** Labels of manifests that this installation signed. A foreign step can't vouch for another. */
export function findOwn(
  { manifests, active_manifest, validation_results }: ManifestStore,
  { serials }: OwnTrust,
): ReadonlySet<string> {
  const own = new Set<string>();
  const trusted = listTrusted(validation_results);
  const add = (label: string | undefined, results?: ValidationResults): void => {
    const serial = manifests[label ?? '']?.signature_info?.cert_serial_number;
    if (label === undefined || serial === undefined || !serials.includes(serial)) return;
    if (trusted.has(label) || (results && listTrusted(results).has(label))) own.add(label);
  };
  add(active_manifest);
  for (const label of own)
    for (const ingredient of manifests[label]?.ingredients ?? [])
      add(ingredient.active_manifest, ingredient.validation_results);
  return own;
}

/** Labels of manifests whose certificate is trusted: each is a part of an address like `self#jumbf=/c2pa/<label>/…`. */
function listTrusted({ activeManifest, ingredientDeltas }: ValidationResults): ReadonlySet<string> {
  const statuses = [activeManifest, ...ingredientDeltas.map(({ validationDeltas }) => validationDeltas)];
  const trusted = statuses.flatMap(({ success }) => success.filter(({ code }) => code === 'signingCredential.trusted'));
  return new Set(trusted.flatMap(({ url }) => url?.split('/') ?? []));
}

/** What a model made stays generated while its source is the only one; parts and models that edit make it edited. */
export function createAiLabeler({ manifests }: ManifestStore): (label: string) => AiLabel | null {
  const known = new Map<string, AiLabel | null>();
  function labelAi(label: string): AiLabel | null {
    const found = known.get(label);
    if (found !== undefined) return found;
    // An ingredient that leads back to its own result says nothing about it.
    known.set(label, null);
    const manifest = manifests[label];
    const result = manifest ? labelManifest(manifest) : null;
    known.set(label, result);
    return result;
  }
  function labelManifest(manifest: StoredManifest): AiLabel | null {
    const types = readActions(manifest).map(({ digitalSourceType }) => digitalSourceType?.split('/').at(-1));
    if (types.includes('trainedAlgorithmicMedia')) return 'generated';
    if (types.includes('compositeWithTrainedAlgorithmicMedia') || types.includes('compositeSynthetic')) return 'edited';
    const sources = manifest.ingredients.filter(({ relationship }) => relationship !== 'inputTo');
    const labels = sources.map(({ active_manifest }) => labelAi(active_manifest ?? ''));
    if (labels.length > 0 && labels.every((each) => each === 'generated')) return 'generated';
    return labels.some((each) => each !== null) ? 'edited' : null;
  }
  return labelAi;
}
