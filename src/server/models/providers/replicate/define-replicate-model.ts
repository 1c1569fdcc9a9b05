import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ProviderPrice } from '#contract/providers.ts';
import type { ModelDisplay } from '#contract/resources/provider-preset.ts';
import type { Rule } from '#contract/task.ts';
import type { InputOf } from '#contract/task-input.ts';
import { createReplicateAdapter, createReplicateHttp } from './replicate-adapter.ts';
import { type Bill, toBill } from '#server/models/engine/job-cost.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { uniqueSeed } from '#server/models/engine/unique-seed.ts';
import type { PolledJob } from '#server/models/engine/upstream.ts';
import { type PresetModel, withoutMask } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { createReferenceReader, type ReferenceReader } from '#server/models/providers/reference-reader.ts';

/** What a request can read of a job. `nameFile` returns a placeholder for the URL of an uploaded file. */
export interface InputSource extends Pick<ReferenceReader, 'readList' | 'readOne'> {
  nameFile: (reference: ResolvedReference) => string;
}

/** The images to edit or the reference images, as an input of this name; nothing if there are none. */
export function readImages({ readList, nameFile }: InputSource, name: string): Record<string, string[]> {
  const images = [...readList('images'), ...readList('reference_images')];
  return images.length === 0 ? {} : { [name]: images.map(nameFile) };
}

export interface ReplicateModel<Task extends TaskId, Model extends ModelId> {
  task: Task;
  model: Model;
  /** `owner/name` of an official model. */
  slug: string;
  display: ModelDisplay;
  restrictions: readonly Rule[];
  price: ProviderPrice;
  /** The model has a `seed`, which then tells its jobs apart; one of the contract would be ignored. */
  has_seed?: 'seed' extends keyof InputOf<Task, Model> ? never : true;
  /** @throws {EngineError} if the model does not take the input */
  buildInput(input: InputOf<Task, Model>, source: InputSource): Record<string, unknown>;
  /** Micro-dollars of one image or one second; null if the table has no price. */
  unitCost(input: InputOf<Task, Model>): bigint | null;
}

const ADDRESS = 'https://api.replicate.com/v1';

/** With an address, `/predictions`, `/models` and `/files` are expected directly below it. */
export const openReplicate = ({ address, api_key, openService }: PresetConnection) => ({
  service: openService(address ?? ADDRESS),
  api_key,
});

export const openReplicateHttp = (connection: PresetConnection) => createReplicateHttp(openReplicate(connection));

export function defineReplicateModel<Task extends TaskId, Model extends ModelId>(
  entry: ReplicateModel<Task, Model>,
): PresetModel {
  const { task, model, slug, display, restrictions, price } = entry;
  const readInput = ({ input }: Pick<PolledJob, 'input'>) => input as InputOf<Task, Model>;
  return {
    task,
    model,
    provider_model: slug,
    display,
    restrictions: withoutMask(task, restrictions, `Replicate’s ${display.name}`),
    price,
    ...(entry.has_seed ? { own_names: ['seed'] } : {}),
    createAdapter: (connection) =>
      createReplicateAdapter({
        ...openReplicate(connection),
        model: slug,
        is_official: true,
        deadlineMs: connection.deadlineMs,
        buildInput(job, nameFile) {
          const { readList, readOne, assertAllRead } = createReferenceReader(job);
          const input = entry.buildInput(readInput(job), { readList, readOne, nameFile });
          assertAllRead();
          return entry.has_seed ? { ...input, seed: uniqueSeed(job.submit_key) } : input;
        },
        uniqueInput: ({ submit_key }) => (entry.has_seed ? { seed: uniqueSeed(submit_key) } : null),
        computeCost: (job, metrics) => multiply(entry.unitCost(readInput(job)), readQuantity(metrics)),
      }),
  };
}

/** Images or seconds that Replicate bills. Names of cog’s billing metrics, as its predictions report them. */
const readQuantity = (metrics: Readonly<Record<string, unknown>>): number | null => {
  const quantity = metrics['video_output_duration_seconds'] ?? metrics['image_output_count'];
  return typeof quantity === 'number' && quantity !== 0 ? quantity : null;
};

const multiply = (unit_cost: bigint | null, quantity: number | null): Bill | null =>
  unit_cost === null || quantity === null
    ? null
    : toBill(Math.ceil((Number(unit_cost) * Math.round(quantity * 1000)) / 1000));
