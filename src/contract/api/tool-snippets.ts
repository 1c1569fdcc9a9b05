/** How other tools reach this service: what the dashboard shows, and what tests run. */
export interface ConnectableTool {
  /** Anchor of its section. */
  id: string;
  name: string;
  about: string;
  /** What to enter where the tool asks for it. */
  settings: readonly { label: string; value: string }[];
  snippets: readonly { language: SnippetLanguage; text: string }[];
  /** null: the snippets run in the tests of this version. */
  note: string | null;
}

export type SnippetLanguage = 'TypeScript' | 'Python' | 'curl' | 'Environment' | 'JSON';

const PROMPT = 'A lighthouse at dusk';
const BY_SOURCE = 'Tested with the requests that its public source sends.';

/**
 * @param options.origin of this service: `https://studio.example.com`
 * @param options.model id of a model that makes images
 */
export function listTools({ origin, model }: { origin: string; model: string }): ConnectableTool[] {
  const openai = `${origin}/compat/openai/v1`;
  const fal = `${origin}/compat/fal`;
  const replicate = `${origin}/compat/replicate/v1`;
  const curl = (url: string, body: object, ...headers: string[]) =>
    [
      `curl ${url}`,
      ...['Content-Type: application/json', ...headers].map((header) => `-H "${header}"`),
      `-d '${JSON.stringify(body)}'`,
    ].join(' \\\n  ');
  const bearer = 'Authorization: Bearer $EMULSION_KEY';
  const image = { model, prompt: PROMPT, response_format: 'url' };
  return [
    {
      id: 'openai',
      name: 'OpenAI’s API',
      about: 'Images, edits and speech, for everything that takes a base URL of OpenAI.',
      settings: [{ label: 'Base URL', value: openai }],
      snippets: [
        {
          language: 'TypeScript',
          text: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${openai}',
  apiKey: process.env.EMULSION_KEY,
  defaultHeaders: { 'X-Emulsion-Tags': 'project=autumn' },
});
const { data } = await client.images.generate({
  model: '${model}',
  prompt: '${PROMPT}',
  response_format: 'url',
});
console.log(data[0].url);`,
        },
        {
          language: 'Python',
          text: `import json, os, urllib.request

request = urllib.request.Request(
    "${openai}/images/generations",
    data=json.dumps(${JSON.stringify(image)}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["EMULSION_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["data"][0]["url"])`,
        },
        { language: 'curl', text: curl(`${openai}/images/generations`, image, bearer) },
      ],
      note: null,
    },
    {
      id: 'fal',
      name: 'fal’s API',
      about: 'Queue, results, uploads and webhooks. The client reaches this service by its proxy.',
      settings: [{ label: 'Proxy URL', value: fal }],
      snippets: [
        {
          language: 'TypeScript',
          text: `import { createFalClient } from '@fal-ai/client';

const fal = createFalClient({
  proxyUrl: { url: '${fal}', when: 'always' },
  credentials: process.env.EMULSION_KEY,
});
const { data } = await fal.subscribe('emulsion/${model}', {
  input: { prompt: '${PROMPT}' },
});
console.log(data.images[0].url);`,
        },
        {
          language: 'curl',
          text: curl(`${fal}/run/emulsion/${model}`, { prompt: PROMPT }, 'Authorization: Key $EMULSION_KEY'),
        },
      ],
      note: null,
    },
    {
      id: 'replicate',
      name: 'Replicate’s API',
      about: 'Predictions, models, files and webhooks.',
      settings: [{ label: 'Base URL', value: replicate }],
      snippets: [
        {
          language: 'TypeScript',
          text: `import Replicate from 'replicate';

const replicate = new Replicate({
  baseUrl: '${replicate}',
  auth: process.env.EMULSION_KEY,
  useFileOutput: false,
});
const output = await replicate.run('emulsion/${model}', {
  input: { prompt: '${PROMPT}' },
});
console.log([output].flat()[0]);`,
        },
        {
          language: 'curl',
          text: curl(
            `${replicate}/models/emulsion/${model}/predictions`,
            { input: { prompt: PROMPT } },
            bearer,
            'Prefer: wait',
          ),
        },
      ],
      note: null,
    },
    {
      id: 'ai-sdk',
      name: 'Vercel’s AI SDK',
      about: 'Images and edits with its providers of OpenAI, fal and Replicate, each by its base URL.',
      settings: [
        { label: '@ai-sdk/openai', value: openai },
        { label: '@ai-sdk/fal', value: fal },
        { label: '@ai-sdk/replicate', value: replicate },
      ],
      snippets: [
        {
          language: 'TypeScript',
          text: `import { createFal } from '@ai-sdk/fal';
import { generateImage } from 'ai';

const fal = createFal({
  baseURL: '${fal}',
  apiKey: process.env.EMULSION_KEY,
});
const { image } = await generateImage({
  model: fal.image('emulsion/${model}'),
  prompt: '${PROMPT}',
});
console.log(image.mediaType, image.uint8Array.length);`,
        },
      ],
      note: null,
    },
    {
      id: 'open-webui',
      name: 'Open WebUI',
      about: 'Under Admin Panel → Settings → Images, choose the engine Open AI, or set these variables.',
      settings: [
        { label: 'API Base URL', value: openai },
        { label: 'Model', value: model },
      ],
      snippets: [
        {
          language: 'Environment',
          text: `ENABLE_IMAGE_GENERATION=true
IMAGE_GENERATION_ENGINE=openai
IMAGES_OPENAI_API_BASE_URL=${openai}
IMAGES_OPENAI_API_KEY=YOUR_KEY
IMAGE_GENERATION_MODEL=${model}`,
        },
      ],
      note: BY_SOURCE,
    },
    {
      id: 'n8n',
      name: 'n8n',
      about:
        'Make a credential of the type OpenAI with a key and this URL. In the node OpenAI, choose the model by its ID.',
      settings: [
        { label: 'Base URL', value: openai },
        { label: 'Model', value: model },
      ],
      snippets: [],
      note: BY_SOURCE,
    },
    {
      id: 'mcp',
      name: 'Assistants (MCP)',
      about: 'Assistants such as Claude order here with tools that say what each model costs.',
      settings: [{ label: 'MCP address', value: `${origin}/mcp` }],
      snippets: [
        {
          language: 'JSON',
          text: JSON.stringify(
            {
              mcpServers: {
                emulsion: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer YOUR_KEY' } },
              },
            },
            null,
            2,
          ),
        },
      ],
      note: null,
    },
  ];
}
