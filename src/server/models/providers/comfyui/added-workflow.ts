import * as z from 'zod/mini';
import {
  type ComfyCandidate,
  isSeedInput,
  lastSegment,
  listComfyCandidates,
} from '#contract/added-models/comfyui-candidates.ts';
import { type ChosenComfyInput } from '#contract/added-models/comfyui-schema.ts';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { isWriting } from '#contract/added-models/fields/describe-field.ts';
import { SCHEMA_LIMITS } from '#contract/added-models/schema-limits.ts';
import { jsonAt, property } from '#contract/json-value.ts';
import { encodeJobInput } from '#server/models/providers/added-input.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';
import { workflowNode } from './parse-workflow.ts';
import { deriveSeed, INVALID_WORKFLOW, type WorkflowRun } from './workflow-builder.ts';
import { findInput, readTitles } from './workflow-titles.ts';

const comfyInput = z.object({ node: z.string(), input: z.string() });
const addedWorkflow = z.object({
  workflow: z.record(z.string(), workflowNode),
  /** By field name. */
  targets: z.record(z.string(), comfyInput),
});

/** What runs a version of an added workflow. One that was stored by another version fails its jobs. */
export function readAddedWorkflow({
  normalized,
  provider_data,
}: Pick<AddedModelVersion, 'normalized' | 'provider_data'>): WorkflowRun {
  const { data } = addedWorkflow.safeParse(provider_data);
  if (!data) return INVALID_WORKFLOW;
  const { workflow, targets } = data;
  return {
    takes_all_outputs: true,
    output_node: findOutputNode(workflow),
    buildWorkflow(job, nameReference) {
      const values = encodeJobInput(normalized, job, nameReference);
      const seed = deriveSeed(job.submit_key);
      const filled = new Map<string, Record<string, unknown>>();
      const fill = (node: string, input: string, value: unknown) => {
        if (value !== undefined) filled.set(node, { ...filled.get(node), [input]: value });
      };
      const isSeed = (node: string, input: string) => isSeedInput(input, jsonAt(workflow, node, '_meta', 'title'));
      const hasSeed = Object.values(targets).some(({ node, input }) => isSeed(node, input));
      for (const [id, { inputs }] of hasSeed ? [] : Object.entries(workflow))
        for (const [input, value] of Object.entries(inputs))
          if (isSeed(id, input) && typeof value === 'number') fill(id, input, seed);
      for (const [name, { node, input }] of Object.entries(targets))
        fill(node, input, property(values, name) ?? (isSeed(node, input) ? seed : undefined));
      const nodes = Object.entries(workflow).map(([id, node]) => [
        id,
        { ...node, inputs: { ...node.inputs, ...filled.get(id) } },
      ]);
      return Promise.resolve(Object.fromEntries(nodes) as ComfyUiWorkflow);
    },
  };
}

const findOutputNode = (workflow: ComfyUiWorkflow): string | undefined =>
  Object.entries(workflow).find(([, node]) => readTitles(node).includes('output'))?.[0];

/**
 * Chooses the inputs that people usually change: those of titled nodes, and all seeds if none is titled; without titles
 * files, texts, seeds, sizes and steps.
 * @throws {WorkflowError} when a titled node has no input for its value
 */
export function chooseUsualInputs(workflow: ComfyUiWorkflow, objectInfo: unknown): ChosenComfyInput[] {
  const candidates = listComfyCandidates(workflow, objectInfo).filter(({ field }) => field !== null);
  const titled = Object.entries(workflow).flatMap(([id, node]) =>
    readTitles(node).flatMap((title) =>
      title === 'output' ? [] : [{ node: id, input: findInput(id, node, title), name: title }],
    ),
  );
  const hasSeed = titled.some(({ name }) => name === 'seed');
  const negatives = negativeNodes(workflow);
  const chosen = candidates.flatMap((candidate) => {
    const { node, input } = candidate;
    const name = titled.find((each) => each.node === node && each.input === input)?.name;
    if (name !== undefined) return [{ candidate, name }];
    if (titled.length > 0)
      return !hasSeed && isSeedInput(input, candidate.node_title) ? [{ candidate, name: 'seed' }] : [];
    return isUsual(candidate) ? [{ candidate, name: usualName(candidate, negatives) }] : [];
  });
  const taken = new Set<string>();
  return chosen
    .sort((one, other) => Number(other.name === 'prompt') - Number(one.name === 'prompt'))
    .slice(0, SCHEMA_LIMITS.fields)
    .map(({ candidate: { node, input, field }, name }) => {
      const isFirst = !taken.has(name);
      const own = isFirst ? name : `${name}_${node.replaceAll(/[^A-Za-z0-9]/g, '_')}`;
      taken.add(own);
      const label = NAMED_LABELS[name] ?? field?.label ?? name;
      return {
        node,
        input,
        name: own,
        label: isFirst ? label : `${label.slice(0, 40)} ${node}`.slice(0, SCHEMA_LIMITS.label_characters),
      };
    });
}

const USUAL_INPUTS =
  /^((noise_)?seed|steps|width|height|aspect_ratio|ratio|resolution|duration(_seconds)?|seconds|length|((num|video)_)?frames|frame_count)$/;
const NAMED_LABELS: Readonly<Record<string, string>> = { prompt: 'Prompt', negative_prompt: 'Negative prompt' };

/** Primitive nodes hold nothing but a value, which their author set apart. */
const isUsual = ({ class_type, input, field }: ComfyCandidate): boolean => {
  const name = lastSegment(input);
  if (field?.kind === 'reference' || class_type.startsWith('Primitive')) return true;
  return field?.kind === 'text' ? isWriting(name) : USUAL_INPUTS.test(name);
};

const PROMPT_INPUTS = ['prompt', 'text', 'value'];

function usualName({ node, node_title, input, field }: ComfyCandidate, negatives: ReadonlySet<string>): string {
  const name = lastSegment(input);
  if (field?.kind === 'text' && PROMPT_INPUTS.includes(name))
    return negatives.has(node) || /negative/i.test(node_title) ? 'negative_prompt' : 'prompt';
  return isSeedInput(input, node_title) ? 'seed' : (field?.name ?? name);
}

/** Nodes whose output goes into an input with the name `negative`. */
const negativeNodes = (workflow: ComfyUiWorkflow): ReadonlySet<string> =>
  new Set(
    Object.values(workflow).flatMap(({ inputs: { negative } }) =>
      Array.isArray(negative) && typeof negative[0] === 'string' ? [negative[0]] : [],
    ),
  );
