import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { extractReferences } from '#contract/task-input.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import { type FieldSpec, fieldDefault, type Rule, satisfiesRule } from '#contract/task.ts';
import { requireContract } from '#contract/testing/input-fixture.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import type { UpstreamAdapter, UpstreamEngineJob, UpstreamState } from '#server/models/engine/upstream.ts';
import { coverPairs } from './cover-pairs.ts';

export interface WalkedInput {
  /** `first_frame, aspect_ratio=16:9`. */
  name: string;
  /** As `parseInput` returns it. */
  input: Record<string, unknown>;
}

type Values = Readonly<Record<string, unknown>>;

const MAX_CROSS_PRODUCT = 400;
const MAX_LISTED_INTEGERS = 32;
/** For texts without a limit. */
const LONG_TEXT = 50_000;
const MAX_POLLS = 5;

/**
 * Lists inputs that the contract accepts: every option and bound of each field, every two options of different fields
 * together, all combinations of choices unless they are too many, and every combination of references, each with one
 * item, with as many as allowed, with roles, and with every option.
 * @param restrictions rules of a preset, which must not keep two options that it supports from being combined
 */
export function listInputs(task: TaskId, model: ModelId | null, restrictions: readonly Rule[] = []): WalkedInput[] {
  const contract = requireContract(task, model);
  const base = Object.assign({}, ...contract.fields.filter(isRequired).map((field) => minimalValue(field))) as Values;
  const optional = contract.fields.filter((field) => isReferenceField(field) && !isRequired(field));
  const choices = contract.fields.filter(({ kind }) => kind === 'choice' || kind === 'boolean');
  const sets = optional.reduce<FieldSpec[][]>((all, field) => [...all, ...all.map((set) => [...set, field])], [[]]);
  const singles = sets.map((set): Values => Object.assign({}, ...set.map((field) => references(field, 1))));
  const isAllowed = (draft: Values) => {
    const parsed = parseInput(contract, { ...base, ...draft }, null);
    return parsed.ok && restrictions.every((rule) => satisfiesRule(rule, parsed.input));
  };
  const drafts: Values[] = [
    ...contract.fields.flatMap((field) => listBounds(field)),
    ...crossProduct(choices.map((field) => listOptions(field))),
    ...coverPairs([singles, ...contract.fields.map((field) => listOptions(field))], isAllowed),
    ...contract.fields.filter((field) => 'with_role' in field && field.with_role).map(withRole),
    ...singles,
    ...sets.map((set): Values => Object.assign({}, ...set.map((field) => references(field, maxItems(field))))),
  ];
  const inputs = new Map<string, WalkedInput>();
  for (const draft of drafts) {
    const parsed = parseInput(contract, { ...base, ...draft }, null);
    if (parsed.ok) inputs.set(JSON.stringify(parsed.input), { name: describeValues(draft), input: parsed.input });
  }
  return [...inputs.values()];
}

const isReferenceField = ({ kind }: FieldSpec) => kind === 'reference' || kind === 'references';
const isRequired = (field: FieldSpec) => 'required' in field && field.required === true;
const maxItems = (field: FieldSpec) => (field.kind === 'references' ? field.max_items : 1);

/** The value of a required field; choices without a default get their first option. */
function minimalValue(field: FieldSpec): Values {
  if (field.kind === 'text') return { [field.name]: 'x'.repeat(Math.max(field.min_length, 3)) };
  return isReferenceField(field) ? references(field, 1) : { [field.name]: fieldDefault(field) };
}

function references(field: FieldSpec, count: number): Values {
  const extension = 'media' in field ? EXTENSIONS[field.media] : '';
  const items = Array.from({ length: count }, (_, index) => ({
    url: `https://example.com/${field.name}-${index}.${extension}`,
  }));
  return { [field.name]: field.kind === 'references' ? items : items[0] };
}

function withRole(field: FieldSpec): Values {
  const values = Object.values(references(field, 1)).flat() as { url: string }[];
  const items = values.map((item) => ({ ...item, role: 'style of the walls' }));
  return { [field.name]: field.kind === 'references' ? items : items[0] };
}

/** Each option of a choice; the bounds of a number. */
function listOptions(field: FieldSpec): Values[] {
  const values = (): readonly unknown[] => {
    if (field.kind === 'boolean') return [true, false];
    if (field.kind === 'choice') return [...field.options, ...(field.nullable ? [null] : [])];
    if (field.kind !== 'number' && field.kind !== 'integer') return [];
    return [field.min, ...(field.max === null ? [] : [field.max]), ...(field.nullable ? [null] : [])];
  };
  return values().map((value) => ({ [field.name]: value }));
}

/** The shortest and longest text, every integer of a small range, and the fullest list. */
function listBounds(field: FieldSpec): Values[] {
  if (field.kind === 'text')
    return [field.min_length, field.max_length ?? LONG_TEXT].map((size) => ({ [field.name]: 'y'.repeat(size) }));
  if (isReferenceField(field)) return [references(field, 1), references(field, maxItems(field))];
  if (
    field.kind !== 'integer' ||
    field.min === null ||
    field.max === null ||
    field.max - field.min > MAX_LISTED_INTEGERS
  )
    return listOptions(field);
  const { name, min, max } = field;
  return Array.from({ length: max - min + 1 }, (_, index) => ({ [name]: min + index }));
}

/** All combinations; none if there are too many. */
function crossProduct(lists: readonly Values[][]): Values[] {
  const size = lists.reduce((product, list) => product * list.length, 1);
  if (size > MAX_CROSS_PRODUCT) return [];
  return lists.reduce<Values[]>((all, list) => all.flatMap((one) => list.map((two) => ({ ...one, ...two }))), [{}]);
}

const describeValues = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => {
      if (Array.isArray(value)) return `${name}×${value.length}`;
      if (typeof value === 'object' && value !== null) return name;
      const text = String(value);
      return `${name}=${text.length > 20 ? `${text.length} characters` : text}`;
    })
    .join(', ');

const EXTENSIONS = { image: 'png', video: 'mp4', audio: 'mp3' } as const;
const MEDIA = {
  image: { mime_type: 'image/png', width: 1024, height: 1024, duration_seconds: null, fps: null, has_audio: false },
  video: { mime_type: 'video/mp4', width: 960, height: 720, duration_seconds: 2, fps: 24, has_audio: true },
  audio: { mime_type: 'audio/mpeg', width: null, height: null, duration_seconds: 2, fps: null, has_audio: true },
} as const;

/** With a channel for transparency, as masks have. */
const PIXELS = sharp({ create: { width: 1024, height: 1024, channels: 4, background: '#fff8' } })
  .png()
  .toBuffer();

/**
 * Writes the files of an input's references: images of 1024 × 1024, clips and sounds of 2 seconds, the source of a
 * task 4 seconds. The bytes are real media only where there is a mask.
 */
export async function writeReferences(
  { task, model }: Pick<PresetModel, 'task' | 'model'>,
  input: Values,
  directory: string,
  describeMedia: (path: string) => Partial<MediaFileInfo> = () => ({}),
): Promise<ResolvedReference[]> {
  await mkdir(directory, { recursive: true });
  const all = extractReferences(requireContract(task, model), input);
  const isMasked = all.some(({ mask }) => mask);
  return Promise.all(
    all.map(async ({ path, url, role, kind, mask }) => {
      const extension = EXTENSIONS[kind];
      const file = join(directory, `reference-${path}.${extension}`);
      const bytes = isMasked ? await PIXELS : `the file at ${path}`;
      await writeFile(file, bytes);
      const source = path === 'video' ? { duration_seconds: 4 } : {};
      const media = { kind, extension, size_bytes: bytes.length, ...MEDIA[kind], ...source, ...describeMedia(path) };
      return { path, url, role, file, media, mask };
    }),
  );
}

export interface PresetWalk {
  presetModel: PresetModel;
  adapter: UpstreamAdapter;
  /** An empty directory for references and outputs. */
  directory: string;
  /** Makes the fake server complete its jobs. */
  completeJobs(): void;
  /** The requests that created jobs, oldest first and without the first `from`: endpoint and body. */
  requests(from: number): readonly unknown[];
  describeMedia?: (path: string) => Partial<MediaFileInfo>;
}

export interface WalkReport {
  succeeded: number;
  /** Messages of the preset's rules that rejected an input. */
  restricted: string[];
  /** Messages with which the adapter rejected an input before it sent anything. */
  rejected: string[];
  /** Inputs that neither succeeded nor were rejected, or whose request equals that of another input. */
  failures: string[];
}

/** Runs every input of `listInputs` against a fake server: submit, poll and download, unless the preset rejects it. */
export async function walkPreset(walk: PresetWalk): Promise<WalkReport> {
  const { task, model, restrictions } = walk.presetModel;
  const report = { succeeded: 0, restricted: new Set<string>(), rejected: new Set<string>(), failures: [] as string[] };
  const senders = new Map<string, string>();
  let sent = walk.requests(0).length;
  for (const [index, { name, input }] of listInputs(task, model, restrictions).entries()) {
    const broken = restrictions.filter((rule) => !satisfiesRule(rule, input));
    for (const { message } of broken) report.restricted.add(message);
    if (broken.length > 0) continue;
    try {
      await runInput(walk, input, `gen_${index}`);
      report.succeeded += 1;
      const requests = walk.requests(sent);
      sent += requests.length;
      const request = JSON.stringify(requests);
      const other = senders.get(request);
      if (other !== undefined) report.failures.push(`${name} sends the same request as ${other}`);
      senders.set(request, name);
    } catch (error) {
      const requests = walk.requests(sent);
      sent += requests.length;
      const isRejected = error instanceof EngineError && requests.length === 0;
      if (isRejected && error.cause === undefined) report.rejected.add(error.message);
      else report.failures.push(`${name}: ${String(error)}`);
    }
  }
  return { ...report, restricted: [...report.restricted].sort(), rejected: [...report.rejected].sort() };
}

async function runInput(walk: PresetWalk, input: Values, submit_key: string): Promise<void> {
  const { presetModel, adapter, directory, describeMedia } = walk;
  const { task, model } = presetModel;
  const signal = new AbortController().signal;
  const references = await writeReferences(presetModel, input, directory, describeMedia);
  const ids = { generation_id: submit_key, submit_key, task, model, input };
  const job: UpstreamEngineJob = { ...ids, references, workDir: directory, signal, onProgress: () => undefined };
  let state: UpstreamState = await adapter.submit(job);
  for (let polls = 0; state.status === 'accepted' && polls < MAX_POLLS; polls += 1) {
    walk.completeJobs();
    state = await adapter.poll(job, state.handle);
  }
  if (state.status !== 'succeeded') throw new Error(`The job is ${state.status}.`);
  const sizes = await Promise.all(state.result.files.map(async (file) => (await stat(file)).size));
  if (sizes.length === 0 || sizes.includes(0)) throw new Error(`The outputs have ${sizes.join(', ')} bytes.`);
}
