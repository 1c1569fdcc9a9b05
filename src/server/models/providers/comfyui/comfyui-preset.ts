import * as z from 'zod/mini';
import { createComfyUiAdapter } from './comfyui-adapter.ts';
import { createUpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { ResponseLostError } from '#server/models/engine/upstream.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { readWorkflow, validateWorkflow } from './read-choice.ts';
import type { WorkflowRun } from './workflow-builder.ts';
import { workflowModels } from './workflow-models.ts';
import { createWorkflowSource } from './workflow-source.ts';

const openServer = ({ address, openService }: PresetConnection) => openService(address ?? '');

const createAdapter = (connection: PresetConnection, run: WorkflowRun) =>
  createComfyUiAdapter({
    service: openServer(connection),
    api_key: connection.api_key,
    key_use: 'partner_nodes',
    ...run,
  });

/** Only partner nodes use the key; here it is known so that no message repeats it. */
const openHttp = (connection: PresetConnection) =>
  createUpstreamHttp({ service: openServer(connection), api_key: connection.api_key, headers: () => ({}) });

/** `GET /system_stats`; devices have names such as “cuda:0 NVIDIA GeForce RTX 4090 : cudaMallocAsync”. */
const systemStats = z.object({
  system: z.object({ comfyui_version: z.optional(z.string()) }),
  devices: z._default(z.array(z.object({ name: z.string() })), []),
});

/** ComfyUI on a machine of the operator. Protocol: `server.py` of Comfy-Org/ComfyUI, read 2026-11-23. */
export const comfyUiPreset: ProviderPreset = {
  id: 'comfyui',
  name: 'ComfyUI',
  description: 'Your own ComfyUI: paste a workflow for each model. A key of a Comfy account is for partner nodes only.',
  key: 'optional',
  key_url: 'https://platform.comfy.org/profile/api-keys',
  terms_url: null,
  environment_variables: [],
  default_address: null,
  model_setting: 'workflow',
  models: workflowModels({
    maker: 'ComfyUI',
    source: 'your own server',
    note: 'Your own server has no price per result. Partner nodes are billed to your Comfy account and are not counted.',
    createAdapter: (connection, choice) => createAdapter(connection, readWorkflow(choice)),
  }),
  added: createWorkflowSource({ server: 'ComfyUI', has_class_info: true, openHttp, createAdapter }),
  async check(connection, signal) {
    const http = openHttp(connection);
    const { data } = systemStats.safeParse(await http.requestJson('/system_stats', { signal }));
    if (!data) throw new ResponseLostError('The server is not ComfyUI. Check the address.');
    const [device] = data.devices;
    const version = `ComfyUI ${data.system.comfyui_version ?? ''}`.trim();
    const server = `${version} responded${device ? `, on ${http.redact(device.name)}` : ''}.`;
    return connection.api_key === null ? server : `${server} The key is not tested: only partner nodes use it.`;
  },
  validateChoice: validateWorkflow,
};
