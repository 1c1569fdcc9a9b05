import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { formatMoney } from '#contract/money/money.ts';
import { AddedModelCreate, type AddedModelSummary, ModelSource } from '#contract/resources/added-model.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { listModelProviders, presentInspection, readModel } from '#server/models/added-models/inspect-model.ts';
import {
  changeAddedModel,
  createAddedModel,
  removeAddedModel,
} from '#server/models/added-models/manage-added-models.ts';
import { listAddedModels, readAddedModel } from '#server/models/added-models/present-added-model.ts';
import type { Deps } from '#server/platform/deps.ts';
import { withService } from './cli-session.ts';
import { describePrice, type PriceOptions, readPrice, UNIT_NAMES } from './model-price.ts';
import { parsePercent, parseRequest } from './parse-request.ts';

interface AddOptions extends PriceOptions {
  kind?: string;
  workflow?: string;
  task?: string;
  markup?: number;
  name?: string;
  publish?: boolean;
}

const NEVER_ABORTED = new AbortController().signal;

/** The commands about models that are added by their schemas. */
export function modelCommands(write: (text: string) => void): Command {
  // Providers' texts could steer the terminal.
  const print = (text: string) => write(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '));
  const models = new Command('models').description('add, publish, pause and remove models of connected providers');

  models
    .command('add')
    .description('add a model as a draft, at the price that its provider publishes')
    .argument('<provider:model>', 'such as fal:fal-ai/kokoro/american-english; prv_…:model where several are connected')
    .option('--kind <kind>', 'of a model of an OpenAI-compatible server: image, video or speech')
    .option('--workflow <file>', 'of ComfyUI: the workflow in API format')
    .option('--task <task>', 'such as audio.speech; by default the suggested one')
    .option('--name <name>', 'by default the provider’s')
    .option('--price <dollars>', 'what the provider charges for a unit, where it publishes no price')
    .option('--unit <unit>', Object.keys(UNIT_NAMES).join(', '))
    .option('--cap <dollars>', 'the most that a run is charged')
    .option('--markup <percent>', 'charge the provider’s price plus this many percent', parsePercent)
    .option('--publish', 'for everybody, without a test')
    .action((address: string, options: AddOptions) => addModel(address, options, print));

  models
    .command('list')
    .description('list added models, newest first')
    .action(() =>
      withService(async ({ deps, organization_id }) => {
        for (const model of await listAddedModels(deps, organization_id)) print(describeModel(model));
      }),
    );

  for (const [name, state, description] of [
    ['publish', 'published', 'offer a model to those who may use it'],
    ['pause', 'paused', 'take no new orders for a model'],
  ] as const)
    models
      .command(name)
      .description(description)
      .argument('<model_id>', 'added-…')
      .action((id: string) =>
        withService(async ({ deps, organization_id }) => {
          await changeAddedModel(deps, shellActor(organization_id), id, { state });
          print(describeModel(await readAddedModel(deps, organization_id, id)));
        }),
      );

  models
    .command('remove')
    .description('remove a model for good; what it made stays')
    .argument('<model_id>', 'added-…')
    .action((id: string) =>
      withService(async ({ deps, organization_id }) => {
        await removeAddedModel(deps, shellActor(organization_id), id);
        print(`${id} is removed.`);
      }),
    );

  return models;
}

/** @throws an error with a sentence */
async function readSource(deps: Deps, text: string, { kind, workflow }: AddOptions): Promise<ModelSource> {
  const [, prefix, address = ''] = /^([\w-]+):\s*(.*)$/s.exec(text) ?? [];
  if (prefix === undefined) throw new Error('Enter the provider first, such as fal:fal-ai/kokoro/american-english.');
  const providers = await listModelProviders(deps);
  const found = providers.find(({ id, provider }) => id === prefix || provider === prefix);
  const connected = providers.map(({ id, provider }) => `${provider} (${id})`).join(', ');
  if (!found)
    throw new Error(
      `“${prefix}” is not connected, or its models can’t be added. ${connected === '' ? 'Connect a provider first.' : `Choose ${connected}.`}`,
    );
  return parseRequest(ModelSource, {
    provider_id: found.id,
    address,
    kind,
    workflow: workflow === undefined ? undefined : await readFile(workflow, 'utf8'),
  });
}

const addModel = (address: string, options: AddOptions, print: (text: string) => void): Promise<void> =>
  withService(async ({ deps, organization_id }) => {
    const source = await readSource(deps, address, options);
    const inspection = presentInspection(await readModel(deps, source, NEVER_ABORTED));
    const price = readPrice(options, inspection);
    const request = parseRequest(AddedModelCreate, {
      ...source,
      hash: inspection.hash,
      name: options.name ?? inspection.name,
      task: options.task ?? inspection.suggested.task,
      price,
      markup_percent: options.markup,
    });
    const actor = shellActor(organization_id);
    const id = await createAddedModel(deps, actor, request, NEVER_ABORTED);
    if (options.publish) await changeAddedModel(deps, actor, id, { state: 'published' });
    print(describeModel(await readAddedModel(deps, organization_id, id)));
    print(`Price: ${describePrice(price)}`);
    if (inspection.price_text !== null) print(`The provider writes: ${inspection.price_text}`);
  });

function describeModel(model: AddedModelSummary): string {
  const { id, name, state, task, provider, provider_model, bound_usd, drift, paused_reason } = model;
  const problem = paused_reason ?? (drift ? `changed: ${drift.changes[0]?.text ?? ''}` : []);
  const bound = `at most ${formatMoney(bound_usd)} a run`;
  return [id, name, state, task, `${provider}:${provider_model}`, bound].concat(problem).join('  ');
}
