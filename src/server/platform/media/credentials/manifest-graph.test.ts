import { expect, it } from 'vitest';
import { createAiLabeler, findOwn, orderManifests } from './manifest-graph.ts';
import type { ManifestStore, StoredManifest } from './manifest-store.ts';

const NO_STATUSES = { success: [], informational: [], failure: [] };
const NO_RESULTS = { activeManifest: NO_STATUSES, ingredientDeltas: [] };

const manifest = (sources: readonly string[], type?: string): StoredManifest => ({
  title: undefined,
  claim_generator_info: [],
  signature_info: { common_name: undefined, issuer: undefined, cert_serial_number: '7', time: undefined },
  thumbnail: undefined,
  ingredients: sources.map((active_manifest) => ({
    title: undefined,
    relationship: 'componentOf',
    active_manifest,
    validation_results: NO_RESULTS,
    validation_status: [],
  })),
  assertions: type
    ? [{ label: 'c2pa.actions.v2', data: { actions: [{ action: 'c2pa.created', digitalSourceType: `x/${type}` }] } }]
    : [],
});

const store = (
  manifests: Record<string, StoredManifest>,
  active_manifest: string,
  trusted: string[] = [],
): ManifestStore => ({
  active_manifest,
  manifests,
  validation_state: 'Valid',
  validation_results: {
    activeManifest: {
      ...NO_STATUSES,
      success: trusted.map((label) => ({
        code: 'signingCredential.trusted',
        url: `self#jumbf=/c2pa/${label}/c2pa.signature`,
      })),
    },
    ingredientDeltas: [],
  },
});

/** The number of paths through it doubles with every step. */
function createLadder(steps: number): ManifestStore {
  const manifests: Record<string, StoredManifest> = { step0: manifest([], 'trainedAlgorithmicMedia') };
  for (let step = 1; step < steps; step += 1)
    manifests[`step${step}`] = manifest([`step${step - 1}`, `step${step - 1}`]);
  return store(manifests, `step${steps - 1}`, Object.keys(manifests));
}

it('visits each manifest once, however many paths lead to it', () => {
  const ladder = createLadder(800);
  expect(createAiLabeler(ladder)('step799')).toBe('generated');
  expect(orderManifests(ladder)).toHaveLength(800);
  expect(findOwn(ladder, { anchors: '', serials: ['7'] }).size).toBe(800);
});

it('labels a history that leads back to itself', () => {
  const circle = store(
    { one: manifest(['two']), two: manifest(['one', 'three']), three: manifest([], 'compositeSynthetic') },
    'one',
  );
  expect(createAiLabeler(circle)('one')).toBe('edited');
  expect(orderManifests(circle)).toEqual(['one', 'two', 'three']);
});

it('takes a step as own by its whole label only', () => {
  const pair = store({ a: manifest(['ab']), ab: manifest([]) }, 'a', ['ab']);
  expect([...findOwn(pair, { anchors: '', serials: ['7'] })]).toEqual([]);
  expect([...findOwn({ ...pair, active_manifest: 'ab' }, { anchors: '', serials: ['7'] })]).toEqual(['ab']);
  expect([...findOwn(pair, { anchors: '', serials: [] })]).toEqual([]);
});
