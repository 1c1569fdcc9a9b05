import { expect } from '@playwright/test';
import type { Provider } from '#contract/resources/provider.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { call } from './api-client.ts';
import type { Service } from './service.ts';
import { dialog, heading, press, text, type View } from './view.ts';

const PROVIDER_KEY = 'sk-browser-test-0123456789';

export interface ProviderSeed {
  provider: Provider;
  close: () => Promise<void>;
}

/** A connected OpenAI-compatible server. The service must be allowed to reach this machine. */
export async function seedProvider(service: Service): Promise<ProviderSeed> {
  const server = await startFakeUpstream(PROVIDER_KEY, createFakeOpenAiHandler);
  const provider = await call<Provider>(service, 'POST', '/v1/providers', {
    provider: 'openai-compatible',
    address: server.base_url,
    key: PROVIDER_KEY,
    models: [{ task: 'image.create', model: 'imgmodel-b-2-lite', provider_model: 'local-painter' }],
    text_model: { model: 'qwen3:8b', input_usd_per_million: '0', output_usd_per_million: '0', daily_limit_usd: '1' },
  });
  return {
    provider,
    close: async () => {
      await call(service, 'DELETE', `/v1/providers/${provider.id}`);
      await server.close();
    },
  };
}

const chooseAction = (item: string | RegExp, title: string | RegExp): Pick<View, 'open' | 'reach'> => ({
  open: async (page) => {
    await page.getByRole('button', { name: 'Actions for OpenAI-compatible server' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  },
  reach: (page) => dialog(page, title),
});

export const signedOutProviderViews: readonly View[] = [
  { name: 'providers, signed out', path: '/providers', reach: heading('Sign in to manage providers') },
  { name: 'added models, signed out', path: '/added-models', reach: heading('Sign in to add models') },
];

export const providerViews = ({ provider }: ProviderSeed): readonly View[] => [
  { name: 'providers', path: '/providers', reach: text('No jobs in the last 24 hours') },
  { name: 'added models, none', path: '/added-models', reach: heading('No added models yet') },
  { name: 'add a model', path: '/added-models/new', reach: text('Name of the model') },
  {
    name: 'connect a provider, with problems',
    path: '/providers/connect/openai-compatible',
    open: (page) => press(page, 'Connect OpenAI-compatible server'),
    reach: (page) => expect(page.getByText('Enter the address of the server.')).toBeVisible(),
  },
  {
    name: 'connect a provider, with a text model',
    path: '/providers/connect/openai-compatible',
    open: async (page) => {
      await page.getByRole('checkbox', { name: /^Improve prompts/ }).check();
      await press(page, 'Connect OpenAI-compatible server');
    },
    reach: (page) => expect(page.getByText('Enter the name of the model as the provider writes it')).toBeVisible(),
  },
  {
    name: 'image form, improved prompt',
    path: '/create/image.create/imgmodel-a-2',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Prompt' }).fill('A teapot');
      await press(page, 'Improve');
    },
    reach: (page) => page.getByRole('button', { name: 'Undo', exact: true }).hover(),
  },
  { name: 'an unknown provider', path: '/providers/connect/nobody', reach: text('This provider is not known') },
  {
    name: 'models and prices of a provider',
    path: `/providers/${provider.id}/models`,
    reach: text('has no price per result'),
  },
  {
    name: 'connect a provider, with a markup',
    path: '/providers/connect/openai',
    open: (page) => page.getByText('Provider’s price plus').click(),
    reach: (page) => expect(page.getByLabel('Markup')).toBeVisible(),
  },
  { name: 'replace a key', path: '/providers', ...chooseAction(/Replace key/, /Replace the key/) },
  { name: 'disconnect a provider', path: '/providers', ...chooseAction(/Disconnect/, /Disconnect OpenAI/) },
];
