import * as z from 'zod/mini';
import { createCloudHttp, createComfyCloudAdapter } from './comfy-cloud-adapter.ts';
import { ResponseLostError } from '#server/models/engine/upstream.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { readWorkflow, validateWorkflow } from '#server/models/providers/comfyui/read-choice.ts';
import type { WorkflowRun } from '#server/models/providers/comfyui/workflow-builder.ts';
import { workflowModels } from '#server/models/providers/comfyui/workflow-models.ts';
import { createWorkflowSource } from '#server/models/providers/comfyui/workflow-source.ts';

const ADDRESS = 'https://cloud.comfy.org/api';

const openCloud = ({ address, api_key, openService }: PresetConnection) => ({
  service: openService(address ?? ADDRESS),
  api_key: api_key ?? '',
});

const createAdapter = (connection: PresetConnection, run: WorkflowRun) =>
  createComfyCloudAdapter({ ...openCloud(connection), ...run });

/** `GET /user`, which needs a key; `/system_stats` does not. */
const user = z.object({ status: z.string() });

/** Comfy Cloud. Protocol: openapi-cloud.yaml of docs.comfy.org, read 2026-11-23. */
export const comfyCloudPreset: ProviderPreset = {
  id: 'comfy-cloud',
  name: 'Comfy Cloud',
  description: 'ComfyUI on the machines of Comfy: paste a workflow for each model. Needs a paid subscription.',
  key: 'required',
  key_url: 'https://platform.comfy.org/profile/api-keys',
  terms_url: 'https://www.comfy.org/terms-of-service',
  environment_variables: ['COMFY_CLOUD_API_KEY', 'COMFY_API_KEY'],
  default_address: ADDRESS,
  model_setting: 'workflow',
  models: workflowModels({
    maker: 'Comfy Cloud',
    source: 'https://docs.comfy.org/development/deploy/cloud',
    note: 'Comfy bills the credits of your subscription and reports no cost of a job, so it is not counted.',
    createAdapter: (connection, choice) => createAdapter(connection, readWorkflow(choice)),
  }),
  added: createWorkflowSource({
    server: 'Comfy Cloud',
    // Its OpenAPI file has only `/object_info`.
    has_class_info: false,
    openHttp: (connection) => createCloudHttp(openCloud(connection)),
    createAdapter,
  }),
  async check(connection, signal) {
    const http = createCloudHttp(openCloud(connection));
    const { data } = user.safeParse(await http.requestJson('/user', { signal }));
    if (!data) throw new ResponseLostError('The server is not Comfy Cloud. Check the address.');
    return data.status === 'active' ? 'The key works.' : `The key works. Comfy says: ${http.redact(data.status)}.`;
  },
  validateChoice: validateWorkflow,
};
