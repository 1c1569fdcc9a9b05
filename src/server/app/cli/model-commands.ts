import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { formatMoney } from '#contract/money.ts';
import {
  AddedModelCreate,
  type AddedModelSummary,
  type ModelInspection,
  type ModelProvider,
  ModelSource,
} from '#contract/resources/added-model.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import {
  listModelProviders,
  presentInspection,
  readModel,
  searchProviderModels,
} from '#server/models/added-models/inspect-model.ts';
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

interface SourceOptions {
  kind?: string;
  workflow?: string;
}
interface AddOptions extends SourceOptions, PriceOptions {
  task?: string;
  markup?: number;
  name?: string;
  publish?: boolean;
}

const NEVER_ABORTED = new AbortController().signal;
const ADDRESS = [
  '<provider:model>',
  'such as fal:fal-ai/kokoro/american-english; prv_…:model where several are connected',
] as const;

/** The commands about models that are added by their schemas. */
export function modelCommands(write: (text: string) => void): Command {
  // Providers' texts could steer the terminal.
  const print = (text: string) => write(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '));
  const models = new Command('models').description('add, publish, pause and remove models of connected providers');
  const withSource = (command: Command): Command =>
    command
      .argument(...ADDRESS)
      .option('--kind <kind>', 'of a model of an OpenAI-compatible server: image, video or speech')
      .option('--workflow <file>', 'of ComfyUI: the workflow in API format');

  models
    .command('search')
    .description('search the models of a connected provider')
    .argument('<provider:words...>', 'such as fal: text to speech')
    .action((words: string[]) =>
      withService(async ({ deps }) => {
        const { provider_id, text: q } = await findProvider(deps, words.join(' '));
        for (const { provider_model, name, category } of await searchProviderModels(
          deps,
          { provider_id, q },
          NEVER_ABORTED,
        ))
          print([provider_model, name, category ?? ''].join('  ').trimEnd());
      }),
    );

  withSource(models.command('inspect').description('show the form and the price that a model would have')).action(
    (address: string, options: SourceOptions) =>
      withService(async ({ deps }) => {
        for (const line of describeInspection(await inspect(deps, await readSource(deps, address, options))))
          print(line);
      }),
  );

  withSource(models.command('add').description('add a model as a draft, at the price that its provider publishes'))
    .option('--task <task>', 'such as audio.speech; by default the suggested one')
    .option('--name <name>', 'by default the provider’s')
    .option('--price <dollars>', 'what the provider charges for a unit, where it publishes no price')
    .option('--unit <unit>', Object.keys(UNIT_NAMES).join(', '))
    .option('--cap <dollars>', 'the most that a run is charged')
    .option('--markup <percent>', 'charge the provider’s price plus this many percent', parsePercent)
    .option('--publish', 'for everybody, without a test')
    .action((address: string, options: AddOptions) => addFromCli(address, options, print));

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
async function findProvider(deps: Deps, address: string): Promise<{ provider_id: string; text: string }> {
  const [, prefix, text = ''] = /^([\w-]+):\s*(.*)$/s.exec(address) ?? [];
  const providers = await listModelProviders(deps);
  const found = providers.find(({ id, provider }) => id === prefix || provider === prefix);
  if (found) return { provider_id: found.id, text };
  if (prefix === undefined) throw new Error('Enter the provider first, such as fal:fal-ai/kokoro/american-english.');
  const connected = providers.map(({ id, provider }: ModelProvider) => `${provider} (${id})`).join(', ');
  throw new Error(
    `“${prefix}” is not connected, or its models can’t be added. ${connected === '' ? 'Connect a provider first.' : `Choose ${connected}.`}`,
  );
}

async function readSource(deps: Deps, address: string, { kind, workflow }: SourceOptions): Promise<ModelSource> {
  const { provider_id, text } = await findProvider(deps, address);
  return parseRequest(ModelSource, {
    provider_id,
    address: text,
    ...(kind === undefined ? {} : { kind }),
    ...(workflow === undefined ? {} : { workflow: await readFile(workflow, 'utf8') }),
  });
}

const inspect = async (deps: Deps, source: ModelSource): Promise<ModelInspection> =>
  presentInspection(await readModel(deps, source, NEVER_ABORTED));

async function addFromCli(
  address: string,
  { task, markup, name, publish, ...options }: AddOptions,
  print: (text: string) => void,
): Promise<void> {
  return withService(async ({ deps, organization_id }) => {
    const source = await readSource(deps, address, options);
    const inspection = await inspect(deps, source);
    const price = readPrice(options, inspection);
    const request = parseRequest(AddedModelCreate, {
      ...source,
      hash: inspection.hash,
      name: name ?? inspection.name,
      task: task ?? inspection.suggested.task,
      price,
      ...(markup === undefined ? {} : { markup_percent: markup }),
    });
    const actor = shellActor(organization_id);
    const id = await createAddedModel(deps, actor, request, NEVER_ABORTED);
    if (publish) await changeAddedModel(deps, actor, id, { state: 'published' });
    print(describeModel(await readAddedModel(deps, organization_id, id)));
    print(`Price: ${describePrice(price)}`);
    if (inspection.price_text !== null) print(`The provider writes: ${inspection.price_text}`);
  });
}

function describeInspection(inspection: ModelInspection): string[] {
  const { provider_model, provider_version, name, page_url, is_deprecated, contract, advanced, suggested, price_text } =
    inspection;
  return [
    `${provider_model}${provider_version === null ? '' : `:${provider_version}`}  ${name}${is_deprecated ? '  deprecated' : ''}`,
    ...(page_url === null ? [] : [page_url]),
    `Task: ${suggested.task}`,
    `Price: ${suggested.price ? describePrice(suggested.price) : 'not published'}`,
    ...(price_text === null ? [] : [`The provider writes: ${price_text}`]),
    ...contract.fields.map(
      (field) => `  ${field.name}  ${field.kind}${'required' in field && field.required ? '  required' : ''}`,
    ),
    ...(advanced === null ? [] : [`As JSON in ${advanced.field}: ${advanced.names.join(', ')}`]),
  ];
}

const describeModel = ({
  id,
  name,
  state,
  task,
  provider,
  provider_model,
  bound_usd,
  drift,
  paused_reason,
}: AddedModelSummary) =>
  [
    id,
    name,
    state,
    task,
    `${provider}:${provider_model}`,
    `at most ${formatMoney(bound_usd)} a run`,
    ...(paused_reason === null ? (drift ? [`changed: ${drift.changes[0]?.text ?? ''}`] : []) : [paused_reason]),
  ].join('  ');
