import { cleanText } from '#contract/added-models/fields/describe-field.ts';
import { comfyClassTypes, listComfyCandidates } from '#contract/added-models/comfyui-candidates.ts';
import { normalizeComfyWorkflow } from '#contract/added-models/comfyui-schema.ts';
import { SchemaError } from '#contract/added-models/schema-error.ts';
import { jsonAt } from '#contract/json-value.ts';
import { ModelNotFoundError } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import type { UpstreamAdapter } from '#server/models/engine/upstream.ts';
import type { AddedModelSource } from '#server/models/providers/added-source.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { chooseUsualInputs, readAddedWorkflow } from './added-workflow.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';
import { WorkflowError } from './parse-workflow.ts';
import type { WorkflowRun } from './workflow-builder.ts';

interface WorkflowSourceOptions {
  /** Of the server, for messages. */
  server: string;
  /** Whether `/object_info/{class}` returns a single class. */
  has_class_info: boolean;
  openHttp(connection: PresetConnection): UpstreamHttp;
  createAdapter(connection: PresetConnection, run: WorkflowRun): UpstreamAdapter;
}

const MAX_WORKFLOW_CHARACTERS = 200_000;
/** A server with many extensions has thousands of classes. */
const INFO_LIMITS = { maxResponseBytes: 64 * 1_048_576, timeoutMs: 60_000 };
const MAX_NAME_CHARACTERS = 80;

/** Adds workflows of a ComfyUI; nothing in them marks what people may change. */
export const createWorkflowSource = (options: WorkflowSourceOptions): AddedModelSource => ({
  address_hint: 'A name for the workflow, such as “Product photo”.',
  parseAddress(text) {
    const name = text.trim();
    const isName = name !== '' && name.length <= MAX_NAME_CHARACTERS && name === cleanText(name, MAX_NAME_CHARACTERS);
    return isName && !name.includes('://') ? { provider_model: name, provider_version: null } : null;
  },
  async read(connection, address, signal) {
    const { provider_model, workflow } = address;
    if (!workflow) throw new SchemaError('A workflow is required. In ComfyUI, choose Workflow → Export (API).');
    if (JSON.stringify(workflow).length > MAX_WORKFLOW_CHARACTERS)
      throw new SchemaError(`A workflow has at most ${MAX_WORKFLOW_CHARACTERS.toLocaleString('en')} characters.`);
    const object_info = await readClasses(options, connection, comfyClassTypes(workflow), signal);
    return {
      ...address,
      name: provider_model,
      description: null,
      category: null,
      page_url: null,
      is_deprecated: false,
      published_price: null,
      price_text: null,
      document: { workflow, object_info },
    };
  },
  async normalize({ document, inputs }) {
    const workflow = jsonAt(document, 'workflow');
    const object_info = jsonAt(document, 'object_info');
    const candidates = listComfyCandidates(workflow, object_info);
    const chosen = inputs ?? chooseOrExplain(workflow as ComfyUiWorkflow, object_info);
    const { targets, ...normalized } = await normalizeComfyWorkflow(workflow, object_info, chosen);
    return { normalized, provider_data: { workflow, targets }, candidates, inputs: chosen };
  },
  createAdapter: (connection, model) => options.createAdapter(connection, readAddedWorkflow(model)),
});

function chooseOrExplain(...[workflow, objectInfo]: Parameters<typeof chooseUsualInputs>) {
  try {
    return chooseUsualInputs(workflow, objectInfo);
  } catch (error) {
    throw error instanceof WorkflowError ? new SchemaError(error.message) : error;
  }
}

/** @throws {ModelNotFoundError} if the server lacks one of them */
async function readClasses(
  { server, has_class_info, openHttp }: WorkflowSourceOptions,
  connection: PresetConnection,
  classes: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const http = openHttp(connection);
  const read = (path: string) => http.requestJson(path, { ...INFO_LIMITS, signal });
  const whole = has_class_info ? null : await read('/object_info');
  const found: Record<string, unknown> = {};
  for (const name of classes) {
    const info = jsonAt(whole ?? (await read(`/object_info/${encodeURIComponent(name)}`)), name);
    if (info !== undefined) found[name] = info;
  }
  const missing = classes.filter((name) => !Object.hasOwn(found, name)).map((name) => `“${cleanText(name, 60)}”`);
  if (missing.length === 0) return found;
  throw new ModelNotFoundError(
    `${server} does not have the ${missing.length === 1 ? 'node' : 'nodes'} ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}. Install what is missing, or choose another workflow.`,
  );
}
