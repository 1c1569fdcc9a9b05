import { readFile } from 'node:fs/promises';
import type { PresetModel, ProviderPreset } from '#server/models/providers/preset.ts';

/**
 * Reads the models of a command: `all`, or a list such as `image.create:imgmodel-a-2,image.edit:imgmodel-a-2`. What
 * follows `=` is the setting that each model of the preset needs: a model name, or the path of a workflow file.
 * @param markup_percent for all of them; null: prices stay
 */
export async function readModelChoices(
  preset: ProviderPreset,
  text: string,
  markup_percent: number | null,
): Promise<Record<string, unknown>[]> {
  const { models } = preset;
  if (text === 'all') return models.map(({ task, model }) => ({ task, model, markup_percent }));
  return Promise.all(
    text.split(',').map(async (entry) => {
      const { preset_model, setting } = findEntry(preset, entry.trim());
      const { task, model } = preset_model;
      if (setting === null) return { task, model, markup_percent };
      if (preset.model_setting === 'workflow')
        return { task, model, markup_percent, workflow: await readFile(setting, 'utf8') };
      return { task, model, markup_percent, provider_model: setting };
    }),
  );
}

function findEntry(
  { name, models }: ProviderPreset,
  entry: string,
): { preset_model: PresetModel; setting: string | null } {
  const [, pair = entry, setting = null] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
  const preset_model = models.find(({ task, model }) => `${task}:${model}` === pair);
  if (preset_model) return { preset_model, setting };
  const offered = models.map(({ task, model }) => `${task}:${model}`).join(', ');
  throw new Error(`${name} does not run “${pair}”. Choose all, or some of ${offered}.`);
}
