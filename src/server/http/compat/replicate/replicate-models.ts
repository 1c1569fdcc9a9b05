import { createHash } from 'node:crypto';
import { TASKS } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { findAddedVersion, modelName } from '#contract/model-catalog.ts';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { CompatCall, CompatDeps } from '#server/http/compat/compat-adapter.ts';
import { listNamedModels, type NamedModel } from '#server/http/compat/model-names.ts';
import { replicatePreset } from '#server/models/providers/replicate/replicate-preset.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { describeOutput, type OutputShape, outputShape } from './prediction-output.ts';
import { describeInput } from './compat-prediction-input.ts';

/** Owner of everything under our own ids. */
const OWNER = 'emulsion';
const SLUG_PATTERN = /^[^/]+\/[^/:]+$/;
/** Every version needs a date, and the catalog has none. */
const VERSION_DATE = '2026-01-01T00:00:00.000Z';

/** A model as Replicate knows models: one address for all of its tasks. */
export interface ReplicateModel {
  /** `owner/name` */
  slug: string;
  /** All addresses that lead to it. */
  slugs: readonly string[];
  version: string;
  /** In the order of the catalog. */
  entries: readonly [NamedModel, ...NamedModel[]];
  added: AddedModelVersion | null;
  output: OutputShape;
}

type Deps = Pick<CompatDeps, 'offering'>;
type Work = Pick<Generation, 'task' | 'model' | 'model_version'>;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name and version that a generation has at Replicate, with the shape of its output. */
export function nameWork({ offering }: Deps, { task, model, model_version }: Work) {
  const added = findAddedVersion(offering.current(), { task, model, model_version })?.definition ?? null;
  return {
    slug: slugOf(task, model, added),
    version:
      added?.provider === 'replicate' && added.provider_version !== null
        ? added.provider_version
        : hash(`${model ?? task} ${added?.version ?? 1}`),
    output: outputShape(task, model, added),
    added,
  };
}

function slugOf(task: TaskId, model: AnyModelId | null, added: AddedModelVersion | null): string {
  if (added) return added.provider === 'replicate' ? added.provider_model : `${OWNER}/${added.id}`;
  const known = model === null ? undefined : replicatePreset.models.find((entry) => entry.model === model);
  return known?.provider_model ?? `${OWNER}/${model ?? task}`;
}

/** Everything that the caller can order now. */
export function listReplicateModels({ deps, caller }: Pick<CompatCall, 'deps' | 'caller'>): ReplicateModel[] {
  const groups = Map.groupBy(listNamedModels(deps, caller), ({ task, model }) => model ?? task);
  return [...groups].flatMap(([id, [first, ...others]]) => {
    if (!first) return [];
    const { slug, version, output, added } = nameWork(deps, first);
    const names = [first, ...others].flatMap((entry) => entry.names).filter((name) => SLUG_PATTERN.test(name));
    return [{ slug, slugs: [slug, `${OWNER}/${id}`, ...names], version, entries: [first, ...others], added, output }];
  });
}

/** An added model comes before a built-in one of the same address: it takes all that the model takes. */
const pick = (found: readonly ReplicateModel[]): ReplicateModel | undefined =>
  found.find(({ added }) => added !== null) ?? found[0];

/** @param slug `owner/name` @throws {ApiError} `model_not_found` */
export function findReplicateModel(call: Pick<CompatCall, 'deps' | 'caller'>, slug: string): ReplicateModel {
  const found = pick(listReplicateModels(call).filter(({ slugs }) => slugs.includes(slug)));
  if (found) return found;
  throw new ApiError('model_not_found', `There is no model “${slug.slice(0, 120)}” here.`);
}

/** @param name `owner/name`, `owner/name:version` or a version @throws {ApiError} `model_not_found` or 422 */
export function findReplicateVersion(call: Pick<CompatCall, 'deps' | 'caller'>, name: string): ReplicateModel {
  const [model = '', ...others] = name.split(':');
  const slug = model.includes('/') ? model : undefined;
  const version = slug === undefined ? name : others.length > 0 ? others.join(':') : undefined;
  const candidates = listReplicateModels(call).filter(({ slugs }) => slug === undefined || slugs.includes(slug));
  if (slug !== undefined && candidates.length === 0) return findReplicateModel(call, slug);
  const found = pick(candidates.filter((candidate) => version === undefined || candidate.version === version));
  if (found) return found;
  const message = 'This version does not exist here. GET /models/{owner}/{name} has the current one.';
  throw new ApiError('invalid_request', message, { status: 422, details: [{ path: 'version', message }] });
}

export function presentModel({ deps }: Pick<CompatCall, 'deps'>, model: ReplicateModel) {
  const [owner = '', name = ''] = model.slug.split('/');
  const [{ task, model: id }] = model.entries;
  const title = id === null ? TASKS[task].name : modelName(deps.offering.current(), id);
  return {
    url: `${deps.config.publicUrl}/create`,
    owner,
    name,
    description: `${title}. ${TASKS[task].description}`,
    visibility: 'private',
    is_official: true,
    github_url: null,
    paper_url: null,
    license_url: null,
    run_count: 0,
    cover_image_url: null,
    default_example: null,
    latest_version: presentVersion(model),
  };
}

export const presentVersion = ({ version, entries, output, slug }: ReplicateModel) => ({
  id: version,
  created_at: VERSION_DATE,
  cog_version: '0.0.0',
  openapi_schema: {
    openapi: '3.0.2',
    info: { title: slug, version: '1' },
    paths: {},
    components: { schemas: { Input: describeInput(entries), Output: describeOutput(output) } },
  },
});
