import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createTestSigner, type TestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { createPng } from '#server/studio/uploads/testing/upload-fixture.ts';
import { describeState } from './describe-state.ts';
import { collectProblems } from './history-problems.ts';
import { inspectFile } from './inspect-file.ts';
import { parseStore } from './manifest-store.ts';
import { orderManifests } from './manifest-graph.ts';
import { readIdentities } from './read-identities.ts';
import { type SignedFile, signFile } from './sign-file.ts';

const PNG = 'image/png';
/** Each check runs in a process of its own. */
let service: TestService;
let folder: string;
let foreign: TestSigner;
let plain: Buffer;
beforeAll(async () => {
  service = await createTestService();
  folder = await mkdtemp(join(tmpdir(), 'emulsion-history-'));
  foreign = await createTestSigner();
  plain = await createPng(64, 48, '#357');
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function inspect(bytes: Uint8Array) {
  const file = join(folder, 'inspected.png');
  await writeFile(file, bytes);
  const { media, signing } = service.deps;
  return (await inspectFile(media, { file, mime_type: PNG }, await signing.trust())).report;
}

/** Changes a byte of the picture, or of the signature. */
function tamper(signed: Buffer, part: 'picture' | 'signature'): Buffer {
  const bytes = Buffer.from(signed);
  // The title is in the claim, whose signature then does not fit.
  const at = part === 'picture' ? bytes.length - 20 : bytes.lastIndexOf('A fox');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

/** A result of this service that was made from a file. */
async function signHere(source: Buffer): Promise<string> {
  const [file, sourceFile] = [join(folder, 'result.png'), join(folder, 'source.png')];
  await writeFile(file, plain);
  await writeFile(sourceFile, source);
  const { media: tools, signing } = service.deps;
  const actions = [{ action: 'c2pa.opened', parameters: { ingredientIds: ['source'] } }];
  const result: SignedFile = {
    file,
    mime_type: PNG,
    size_bytes: plain.length,
    statement: { title: 'A result', actions, assertions: {} },
    ingredients: [{ id: 'source', title: 'A source', relationship: 'parentOf', mime_type: PNG, file: sourceFile }],
    thumbnail: null,
  };
  await signFile({ tools, signer: await signing.signer(), trust: await signing.trust(), options: {} }, result);
  return file;
}

it.each(['picture', 'signature'] as const)(
  'marks a step whose %s was changed before it came here, in our results and in those of others',
  async (part) => {
    const changed = tamper(await foreign.sign(plain, PNG), part);
    const own = await inspect(await readFile(await signHere(changed)));
    expect(own).toMatchObject({ state: 'history_problem', ai: 'generated' });
    expect(own.problem).toContain('was changed before it came here');
    expect(own.steps).toMatchObject([
      { is_own: true, problem: null, ingredients: [{ step: 1, problem: 'changed' }] },
      { is_own: false, problem: 'changed' },
    ]);
    // Two steps further, by another program.
    const next = await foreign.sign(plain, PNG, await foreign.sign(plain, PNG, changed));
    const report = await inspect(next);
    expect([report.state, ...report.steps.map(({ problem }) => problem)]).toEqual([
      'history_problem',
      null,
      null,
      'changed',
    ]);
  },
);

it('finds nothing wrong with a history that nobody changed', async () => {
  const report = await inspect(await readFile(await signHere(await foreign.sign(plain, PNG))));
  expect(report).toMatchObject({ state: 'valid', problem: null, steps: [{ problem: null }, { problem: null }] });
});

it.each([
  ['that fits', false],
  ['whose signature is that of something else', true],
])('calls a file with an identity %s valid, and so what was made from it', async (_name, is_faulty) => {
  const signed = await foreign.signWithIdentity(plain, PNG, { is_faulty });
  const identities = [{ name: is_faulty ? null : 'Emulsion', is_faulty }];
  expect(await inspect(signed)).toMatchObject({ state: 'valid', problem: null, steps: [{ identities }] });
  const result = await inspect(await readFile(await signHere(signed)));
  expect(result).toMatchObject({ state: 'valid', problem: null, steps: [{ identities: [] }, { identities }] });
  // The identity is part of what is signed.
  const changed = Buffer.from(signed);
  const at = changed.indexOf('cawg.x509.cose');
  changed[at] = 0x78;
  expect(await inspect(changed)).toMatchObject({ state: 'changed' });
});

const status = (code: string, label: string, part = 'c2pa.signature') => ({
  code,
  url: `self#jumbf=/c2pa/${label}/${part}`,
});

it.each([
  ['assertion.dataHash.mismatch', 'history_problem', 'changed'],
  ['claimSignature.mismatch', 'history_problem', 'changed'],
  ['ingredient.manifest.mismatch', 'history_problem', 'changed'],
  ['signingCredential.expired', 'history_problem', 'invalid'],
  ['signingCredential.untrusted', 'valid', null],
  ['cawg.ica.did_unavailable', 'valid', null],
  ['claimSignature.validated', 'valid', null],
  ['assertion.hashedURI.match', 'valid', null],
])('reads %s of an ingredient of version 1', (code, state, problem) => {
  const store = parseStore({
    active_manifest: 'new',
    validation_state: 'Valid',
    validation_results: { activeManifest: { success: [], informational: [], failure: [] } },
    manifests: {
      new: {
        claim_generator_info: [],
        ingredients: [{ active_manifest: 'old', validation_status: [status(code, 'old')] }],
        assertions: [],
      },
      old: { claim_generator_info: [], ingredients: [], assertions: [] },
    },
  });
  const labels = orderManifests(store);
  expect(describeState(store, labels, false).state).toBe(state);
  expect(collectProblems(store, labels).get('old') ?? null).toBe(problem);
});

it.each([
  ['cawg.x509.credential.untrusted', { signature_info: { common_name: 'Ann' } }, { name: 'Ann', is_faulty: false }],
  ['cawg.ica.did_unavailable', { verifiedIdentities: [{ username: 'ann' }] }, { name: 'ann', is_faulty: false }],
  ['cawg.ica.signature_mismatch', {}, { name: undefined, is_faulty: true }],
])('reports an identity with %s, and calls the file valid', (code, data, identity) => {
  const failure = [status(code, 'new', 'c2pa.assertions/cawg.identity')];
  const signed = ['claimSignature.validated', 'claimSignature.insideValidity'].map((each) => status(each, 'new'));
  const store = parseStore({
    active_manifest: 'new',
    validation_state: 'Invalid',
    validation_results: { activeManifest: { success: signed, informational: [], failure }, ingredientDeltas: [] },
    manifests: {
      new: { claim_generator_info: [], ingredients: [], assertions: [{ label: 'cawg.identity', data }] },
    },
  });
  expect(describeState(store, ['new'], false)).toEqual({ state: 'valid', problem: null });
  expect(readIdentities(store, 'new')).toEqual([identity]);
});
