import type { ModelId } from '#contract/ids.ts';
import type { ProviderPrice } from '#contract/providers.ts';
import type { WorkflowTask } from './workflow-values.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import { restrictToWorkflow } from './read-choice.ts';

interface WorkflowModelsOptions {
  maker: string;
  source: string;
  note: string;
  createAdapter: PresetModel['createAdapter'];
}

/** Models whose prices do not depend on options that only their makers offer, such as quality. */
const IMAGE_MODELS: readonly ModelId[] = [
  'imgmodel-a-2',
  'imgmodel-b-2',
  'imgmodel-b-2-lite',
  'imgmodel-b-pro',
  'imgmodel-d-5-pro',
];
const VIDEO_MODELS: readonly ModelId[] = [
  'omni-video',
  'vidmodel-c-2',
  'vidmodel-c-2-fast',
  'vidmodel-c-2-mini',
  'vidmodel-c-2.5',
];
const TASK_MODELS = [
  ['image.create', IMAGE_MODELS],
  ['image.edit', IMAGE_MODELS],
  ['video.create', VIDEO_MODELS],
] as const satisfies readonly (readonly [WorkflowTask, readonly ModelId[]])[];

const DESCRIPTIONS: Readonly<Record<WorkflowTask, string>> = {
  'image.create': 'Your own workflow, which makes an image from a text.',
  'image.edit': 'Your own workflow, which changes an image.',
  'video.create': 'Your own workflow, which makes a clip from a text.',
};

/** One model per entry of the catalog that a workflow can stand for. */
export function workflowModels({ maker, source, note, createAdapter }: WorkflowModelsOptions): PresetModel[] {
  const price = (unit: ProviderPrice['unit']): ProviderPrice => ({
    unit,
    unit_price_usd: '0',
    read_on: '2026-11-23',
    source,
    note,
  });
  return TASK_MODELS.flatMap(([task, models]) =>
    models.map((model) => ({
      task,
      model,
      provider_model: null,
      display: {
        name: 'Own workflow',
        maker,
        description: DESCRIPTIONS[task],
        capabilities: [],
        max_seconds: null,
      },
      restrictions: [],
      restrictChoice: restrictToWorkflow,
      price: price(task === 'video.create' ? (model === 'omni-video' ? 'generation' : 'second') : 'image'),
      createAdapter,
    })),
  );
}
