import { eq } from 'drizzle-orm';
import { TASKS } from '#contract/catalog.ts';
import { property } from '#contract/json-value.ts';
import { findContract, modelName } from '#contract/model-catalog.ts';
import type { WorkflowDraft } from '#contract/resources/workflow-starter.ts';
import type { InputContract, MediaKind } from '#contract/task.ts';
import {
  WORKFLOW_LIMITS,
  type WorkflowDefinition,
  type WorkflowStepDefinition,
} from '#contract/workflow-definition.ts';
import { assets } from '#server/platform/db/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findGeneration } from '#server/studio/generations/find-generation.ts';
import type { GenerationRow } from '#server/studio/generations/generation-row.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parseLocalMediaUrl } from '#server/studio/assets/media-links.ts';

interface Link {
  key: string;
  generation: GenerationRow;
}

interface Draft {
  deps: Deps;
  organization_id: string;
  links: Map<string, Link>;
  steps: WorkflowStepDefinition[];
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  example: Record<string, unknown>;
}

/**
 * A generation and those whose files it used become steps; prompts and foreign media become inputs.
 * @throws {ApiError} 404 `generation_not_found`
 */
export async function draftWorkflow(deps: Deps, organization_id: string, id: string): Promise<WorkflowDraft> {
  const draft: Draft = {
    deps,
    organization_id,
    links: new Map(),
    steps: [],
    properties: {},
    required: [],
    example: {},
  };
  const { generation } = await findGeneration(deps, organization_id, id);
  const { key } = await addStep(draft, generation);
  const definition: WorkflowDefinition = {
    slug: `my-${generation.task.replace(/[._]/g, '-')}`,
    name: TASKS[generation.task].name,
    description: '',
    input_schema: { type: 'object', properties: draft.properties, required: draft.required },
    example_input: draft.example,
    steps: draft.steps,
    output: { result: `{{ steps.${key}.output }}` },
  };
  return { object: 'workflow_draft', definition, generation_ids: [...draft.links.keys()] };
}

async function addStep(draft: Draft, generation: GenerationRow): Promise<Link> {
  const contract = findContract(draft.deps.offering.current(), generation);
  if (!contract) throw new Error(`${generation.task} has no contract for ${generation.model}`);
  const input = await buildInput(draft, contract, generation);
  const link = { key: stepKey(draft, generation), generation };
  draft.links.set(generation.id, link);
  const { task, model } = generation;
  draft.steps.push({
    key: link.key,
    name:
      model === null ? TASKS[task].name : `${TASKS[task].name} · ${modelName(draft.deps.offering.current(), model)}`,
    task,
    ...(model === null ? {} : { model }),
    input,
  });
  return link;
}

function stepKey({ steps }: Draft, { task }: GenerationRow): string {
  const word =
    task.split('.').at(-1) === 'create' ? (task.split('.')[0] ?? 'step') : (task.split('.').at(-1) ?? 'step');
  return uniqueName(word, (key) => steps.some((step) => step.key === key));
}

function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

async function buildInput(
  draft: Draft,
  contract: InputContract,
  { input }: GenerationRow,
): Promise<Record<string, unknown>> {
  const written: Record<string, unknown> = {};
  for (const field of contract.fields) {
    const value = property(input, field.name);
    if (value === undefined || value === null) continue;
    if (field.kind === 'text') written[field.name] = addTextInput(draft, field.name, field, String(value));
    else if (field.kind === 'reference')
      written[field.name] = await mediaExpression(draft, field.name, field.media, value);
    else if (field.kind === 'references' && Array.isArray(value)) {
      if (value.length === 0) continue;
      const media: unknown[] = [];
      for (const item of value) media.push(await mediaExpression(draft, field.name, field.media, item));
      written[field.name] = media;
    } else written[field.name] = typeof value === 'string' ? value.replaceAll('{{', '{{ "{{" }}') : value;
  }
  return written;
}

function addTextInput(
  draft: Draft,
  name: string,
  {
    label,
    min_length,
    max_length,
    multiline,
  }: { label: string; min_length: number; max_length: number | null; multiline: boolean },
  value: string,
): string {
  const inputName = addProperty(draft, name, {
    type: 'string',
    title: label,
    minLength: min_length,
    maxLength: Math.min(max_length ?? 20_000, 32_000),
    ...(multiline ? { 'x-multiline': true } : {}),
  });
  draft.example[inputName] = value;
  return `{{ input.${inputName} }}`;
}

function addProperty(draft: Draft, name: string, property: Record<string, unknown>): string {
  const inputName = uniqueName(name, (candidate) => Object.hasOwn(draft.properties, candidate));
  const title = inputName === name ? property['title'] : `${String(property['title'])} ${inputName.split('_').at(-1)}`;
  draft.properties[inputName] = { ...property, title };
  draft.required.push(inputName);
  return inputName;
}

async function mediaExpression(draft: Draft, name: string, kind: MediaKind, value: unknown): Promise<string> {
  const url = typeof value === 'object' && value !== null && 'url' in value ? String(value.url) : '';
  const producer = await findProducer(draft, url);
  if (producer) return `{{ steps.${producer.key}.output.assets[${producer.position}] }}`;
  const property = {
    type: 'object',
    'x-media': kind,
    title: name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase()),
  };
  const inputName = addProperty(draft, kind, property);
  draft.example[inputName] = { url };
  return `{{ input.${inputName} }}`;
}

async function findProducer(draft: Draft, url: string): Promise<{ key: string; position: number } | null> {
  const { deps, organization_id, links } = draft;
  const localMedia = parseLocalMediaUrl(deps, url);
  if (!localMedia?.id.startsWith('ast_')) return null;
  const [asset] = await deps.db.select().from(assets).where(eq(assets.id, localMedia.id));
  if (asset?.organization_id !== organization_id) return null;
  const existing = links.get(asset.generation_id);
  if (existing) return { key: existing.key, position: asset.position };
  if (links.size + 1 >= WORKFLOW_LIMITS.steps) return null;
  const generation = await findGeneration(deps, organization_id, asset.generation_id).catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  return generation && { key: (await addStep(draft, generation.generation)).key, position: asset.position };
}
