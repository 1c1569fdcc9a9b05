import type { ProviderId } from '#contract/providers.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { comfyCloudPreset } from './comfy-cloud/comfy-cloud-preset.ts';
import { comfyUiPreset } from './comfyui/comfyui-preset.ts';
import { falPreset } from './fal/fal-preset.ts';
import { geminiPreset } from './gemini/gemini-preset.ts';
import { modelArkPreset } from './modelark/modelark-preset.ts';
import { openAiPreset } from './openai/openai-preset.ts';
import { replicatePreset } from './replicate/replicate-preset.ts';
import { syncPreset } from './sync/sync-preset.ts';
import { openAiCompatiblePreset } from './openai/openai-compatible.ts';
import type { PresetModel, ProviderPreset } from './preset.ts';

/** Every provider that the dashboard can connect, in the order in which it lists them. */
export const PRESETS: readonly ProviderPreset[] = [
  falPreset,
  openAiPreset,
  geminiPreset,
  modelArkPreset,
  replicatePreset,
  syncPreset,
  comfyUiPreset,
  comfyCloudPreset,
  openAiCompatiblePreset,
];

export const findPreset = (id: ProviderId): ProviderPreset | undefined => PRESETS.find((preset) => preset.id === id);

export const findPresetModel = (preset: ProviderPreset, task: TaskId, model: ModelId): PresetModel | undefined =>
  preset.models.find((entry) => entry.task === task && entry.model === model);
