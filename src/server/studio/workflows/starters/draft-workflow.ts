import { eq } from 'drizzle-orm';
import { TASKS } from '#contract/catalog.ts';
import { property } from '#contract/json-value.ts';
import { findContract, modelName } from '#contract/model-catalog.ts';
import type { WorkflowDraft } from '#contract/resources/workflow-starter.ts';
import type { InputContract, MediaKind, TextFieldSpec } from '#contract/task.ts';
import { extractReferences } from '#contract/task-input.ts';
import {
  WORKFLOW_LIMITS,
  type WorkflowDefinition,
  type WorkflowStepDefinition,
} from '#contract/workflows/workflow-definition.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
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
  /** In the order of their steps. */
  inputs: { name: string; step: string; property: Record<string, unknown> }[];
  required: string[];
  example: Record<string, unknown>;
  /** Expressions of the files that are inputs, by id or address. */
  media: Map<string, string>;
}

/**
 * A generation and those whose files it used become steps; prompts and foreign media become inputs.
 * @throws {ApiError} 404 `generation_not_found`
 */
export async function draftWorkflow(deps: Deps, organizationId: string, id: string): Promise<WorkflowDraft> {
  const draft: Draft = {
    deps,
    organization_id: organizationId,
    links: new Map(),
    steps: [],
    inputs: [],
    required: [],
    example: {},
    media: new Map(),
  };
  const { generation } = await findGeneration(deps, organizationId, id);
  const { key } = await addStep(draft, generation);
  const definition: WorkflowDefinition = {
    slug: `my-${generation.task.replace(/[._]/g, '-')}`,
    name: TASKS[generation.task].name,
    description: '',
    input_schema: { type: 'object', properties: nameBySteps(draft), required: draft.required },
    example_input: draft.example,
    steps: draft.steps,
    output: { result: `{{ steps.${key}.output.assets }}` },
  };
  return { object: 'workflow_draft', definition, generation_ids: [...draft.links.keys()] };
}

async function addStep(draft: Draft, generation: GenerationRow): Promise<Link> {
  const contract = findContract(draft.deps.offering.current(), generation);
  if (!contract) throw new Error(`${generation.task} has no contract for ${generation.model}`);
  // The steps that it takes files from come first, and so do their inputs.
  for (const { url } of extractReferences(contract, generation.input)) await findProducer(draft, url);
  const name = stepName(draft, generation);
  const input = await buildInput(draft, contract, generation, name);
  const link = { key: stepKey(draft, generation), generation };
  draft.links.set(generation.id, link);
  const { task, model } = generation;
  draft.steps.push({
    key: link.key,
    name,
    task,
    ...(model === null ? {} : { model }),
    input,
  });
  return link;
}

/** "Edit an image · ImgModel B 2", with a number if there is such a step already. */
function stepName({ deps, steps }: Draft, { task, model }: GenerationRow): string {
  const name = model === null ? TASKS[task].name : `${TASKS[task].name} · ${modelName(deps.offering.current(), model)}`;
  const isTaken = (candidate: string) => steps.some((step) => step.name === candidate);
  for (let number = 2; isTaken(name); number += 1) if (!isTaken(`${name} ${number}`)) return `${name} ${number}`;
  return name;
}

/** Names the inputs by their step where several steps have some: "Edit an image · ImgModel B 2: Prompt". */
function nameBySteps({ inputs }: Draft): Record<string, Record<string, unknown>> {
  const isShared = new Set(inputs.map(({ step }) => step)).size > 1;
  return Object.fromEntries(
    inputs.map(({ name, step, property }) => [
      name,
      isShared ? { ...property, title: `${step}: ${String(property['title'])}` } : property,
    ]),
  );
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
  step: string,
): Promise<Record<string, unknown>> {
  const written: Record<string, unknown> = {};
  for (const field of contract.fields) {
    const value = property(input, field.name);
    if (value === undefined || value === null) continue;
    if (field.kind === 'text') written[field.name] = addTextInput(draft, step, field, String(value));
    else if (field.kind === 'reference') written[field.name] = await mediaExpression(draft, step, field, value);
    else if (field.kind === 'references' && Array.isArray(value)) {
      if (value.length === 0) continue;
      const media: unknown[] = [];
      for (const item of value) media.push(await mediaExpression(draft, step, field, item));
      written[field.name] = media;
    } else written[field.name] = typeof value === 'string' ? value.replaceAll('{{', '{{ "{{" }}') : value;
  }
  return written;
}

function addTextInput(draft: Draft, step: string, field: TextFieldSpec, value: string): string {
  const { name, label, min_length, max_length, multiline } = field;
  return addInput(draft, step, name, value, {
    type: 'string',
    title: label,
    minLength: min_length,
    maxLength: Math.min(max_length ?? 20_000, 32_000),
    ...(multiline ? { 'x-multiline': true } : {}),
  });
}

/** @returns the expression that reads it */
function addInput(
  draft: Draft,
  step: string,
  name: string,
  example: unknown,
  property: Record<string, unknown>,
): string {
  const inputName = uniqueName(name, (candidate) => draft.inputs.some((input) => input.name === candidate));
  draft.inputs.push({ name: inputName, step, property });
  draft.required.push(inputName);
  draft.example[inputName] = example;
  return `{{ input.${inputName} }}`;
}

async function mediaExpression(
  draft: Draft,
  step: string,
  { label, media }: { label: string; media: MediaKind },
  value: unknown,
): Promise<string> {
  const url = typeof value === 'object' && value !== null && 'url' in value ? String(value.url) : '';
  const producer = await findProducer(draft, url);
  if (producer) return `{{ steps.${producer.key}.output.assets[${producer.position}] }}`;
  const source = parseLocalMediaUrl(draft.deps, url)?.id ?? url;
  // A file that several steps use is asked for once.
  const known = draft.media.get(source);
  if (known !== undefined) return known;
  const expression = addInput(draft, step, media, { url }, { type: 'object', 'x-media': media, title: label });
  draft.media.set(source, expression);
  return expression;
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
