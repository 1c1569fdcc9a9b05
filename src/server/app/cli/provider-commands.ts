import { Command } from 'commander';
import { PROVIDER_IDS } from '#contract/providers.ts';
import { type Provider, ProviderConnect, ProviderKeyRotation } from '#contract/resources/provider.ts';
import { type AuditActor, shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { listProviders } from '#server/models/connections/list-providers.ts';
import {
  connectProvider,
  readProvider,
  removeProvider,
  rotateProviderKey,
  testProvider,
  updateProvider,
} from '#server/models/connections/manage-providers.ts';
import { type ServiceSession, withService } from './cli-session.ts';
import { parsePercent, parseRequest } from './parse-request.ts';
import { readFile } from 'node:fs/promises';
import type { PresetModel, ProviderPreset } from '#server/models/providers/preset.ts';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

interface ConnectOptions {
  keyEnv?: string;
  address?: string;
  models: string;
  markup?: number;
}

const NEVER_ABORTED = new AbortController().signal;

export function providerCommands(print: (text: string) => void): Command {
  const providers = new Command('providers').description('connect and manage providers');
  const withProvider =
    (work: (session: ServiceSession & { actor: AuditActor }, id: string) => Promise<void>) => (id: string) =>
      withService((session) => work({ ...session, actor: shellActor(session.organization_id) }, id));

  providers
    .command('list')
    .description('list connected providers, in order of preference')
    .action(() =>
      withService(async ({ deps }) => {
        for (const provider of await listProviders(deps)) print(describeProvider(provider));
      }),
    );

  providers
    .command('connect')
    .description('connect a provider; its key is read from standard input unless --key-env names a variable')
    .argument('<provider>', PROVIDER_IDS.join(', '))
    .option('--key-env <name>', 'environment variable that holds the key')
    .option('--address <url>', 'address of the server, if it is not the usual one')
    .option(
      '--models <list>',
      'task:model,…, or all; add =name for a model of your own server, =file for a workflow',
      'all',
    )
    .option('--markup <percent>', 'price: the provider’s list price plus this many percent', parsePercent)
    .action((provider: string, options: ConnectOptions) => connectFromCli(provider, options, print));

  providers
    .command('test')
    .description('test a connected provider with a call that costs nothing')
    .argument('<provider_id>', 'provider id: prv_…')
    .action(
      withProvider(async ({ deps }, id) => {
        const { ok, message } = await testProvider(deps, id, NEVER_ABORTED);
        if (!ok) throw new Error(message);
        print(message);
      }),
    );

  for (const [name, description, change] of [
    ['pause', 'send no new jobs to a provider', { state: 'paused' }],
    ['resume', 'send jobs to a paused provider again', { state: 'active' }],
    ['prefer', 'put a provider before the others: it runs the models that several offer', { prefer: true }],
  ] as const)
    providers
      .command(name)
      .description(description)
      .argument('<provider_id>', 'provider id: prv_…')
      .action(
        withProvider(async ({ deps, actor }, id) =>
          print(describeProvider(await updateProvider(deps, actor, id, change))),
        ),
      );

  providers
    .command('rotate')
    .description('replace the key of a provider with one from standard input')
    .argument('<provider_id>', 'provider id: prv_…')
    .action(
      withProvider(async ({ deps, actor }, id) => {
        const { name } = await readProvider(deps, id);
        const { key } = parseRequest(ProviderKeyRotation, { key: await readSecret(`New key of ${name}: `) });
        print(describeProvider(await rotateProviderKey(deps, actor, id, key, NEVER_ABORTED)));
      }),
    );

  providers
    .command('disconnect')
    .description('disconnect a provider; running jobs finish, then its key is deleted')
    .argument('<provider_id>', 'provider id: prv_…')
    .action(
      withProvider(async ({ deps, actor }, id) => {
        await removeProvider(deps, actor, id);
        print(`${id} is disconnected.`);
      }),
    );

  return providers;
}

async function connectFromCli(
  provider: string,
  { keyEnv, address, models, markup }: ConnectOptions,
  print: (text: string) => void,
): Promise<void> {
  const id = PROVIDER_IDS.find((known) => known === provider);
  const preset = id && findPreset(id);
  if (!preset) throw new Error(`There is no provider “${provider}”. Choose ${PROVIDER_IDS.join(', ')}.`);
  const choices = await readModelChoices(preset, models, markup ?? null);
  const key = preset.key === 'none' ? '' : await readKey(keyEnv, `Key of ${preset.name}: `);
  const request = parseRequest(ProviderConnect, {
    provider: preset.id,
    models: choices,
    ...(key === '' ? {} : { key }),
    ...(address === undefined ? {} : { address }),
  });
  return withService(async ({ deps, organization_id }) =>
    print(describeProvider(await connectProvider(deps, shellActor(organization_id), request, NEVER_ABORTED))),
  );
}

/** @returns an empty text if there is none */
async function readKey(variable: string | undefined, prompt: string): Promise<string> {
  if (variable === undefined) return readSecret(prompt);
  const key = process.env[variable]?.trim() ?? '';
  if (key === '') throw new Error(`${variable} is not set.`);
  return key;
}

function describeProvider({ id, name, state, paused_reason, key_last_four, models, running_jobs }: Provider): string {
  const key = key_last_four === null ? 'no key' : `key …${key_last_four}`;
  const numbers = `${models.length} ${models.length === 1 ? 'model' : 'models'}, ${running_jobs} running`;
  return `${id}  ${name}  ${state}  ${key}  ${numbers}${paused_reason === null ? '' : `  ${paused_reason}`}`;
}

/**
 * Reads the models of a command: `all`, or a list such as `image.create:imgmodel-a-2,image.edit:imgmodel-a-2`. What
 * follows `=` is the setting that each model of the preset needs: a model name, or the path of a workflow file.
 * @param markupPercent for all of them; null: prices stay
 */
async function readModelChoices(
  preset: ProviderPreset,
  text: string,
  markupPercent: number | null,
): Promise<Record<string, unknown>[]> {
  const { models } = preset;
  if (text === 'all') return models.map(({ task, model }) => ({ task, model, markup_percent: markupPercent }));
  return Promise.all(
    text.split(',').map(async (entry) => {
      const { presetModel, setting } = findEntry(preset, entry.trim());
      const { task, model } = presetModel;
      if (setting === null) return { task, model, markup_percent: markupPercent };
      if (preset.model_setting === 'workflow')
        return { task, model, markup_percent: markupPercent, workflow: await readFile(setting, 'utf8') };
      return { task, model, markup_percent: markupPercent, provider_model: setting };
    }),
  );
}

function findEntry(
  { name, models }: ProviderPreset,
  entry: string,
): { presetModel: PresetModel; setting: string | null } {
  const [, pair = entry, setting = null] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
  const presetModel = models.find(({ task, model }) => `${task}:${model}` === pair);
  if (presetModel) return { presetModel, setting };
  const offered = models.map(({ task, model }) => `${task}:${model}`).join(', ');
  throw new Error(`${name} does not run “${pair}”. Choose all, or some of ${offered}.`);
}

/** Reads one line from standard input, without showing it on a terminal. @returns it without surrounding spaces */
async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(prompt);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  try {
    const first = await Promise.race([
      lines[Symbol.asyncIterator]().next(),
      new Promise<never>((_resolve, reject) => lines.once('SIGINT', () => reject(new Error('Canceled.')))),
    ]);
    return first.done ? '' : first.value.trim();
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
