/** The request that Generate would send. */
export interface SnippetRequest {
  /** Where the service is: `https://studio.example.com`. */
  origin: string;
  body: Readonly<Record<string, unknown>>;
  idempotency_key: string;
}

interface Snippet {
  /** Sends the request. */
  order: string;
  /** Follows the generation; for languages with variables it continues `order`. */
  wait: string;
}

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const indent = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

function curlSnippet({ origin, body, idempotency_key }: SnippetRequest): Snippet {
  const authorization = '-H "Authorization: Bearer $EMULSION_KEY"';
  const order = [
    `curl ${shellQuote(`${origin}/v1/generations`)}`,
    authorization,
    `-H 'Content-Type: application/json'`,
    `-H ${shellQuote(`Idempotency-Key: ${idempotency_key}`)}`,
    `--data-raw ${shellQuote(JSON.stringify(body, null, 2))}`,
  ];
  const wait = [`curl "${origin}/v1/generations/$GENERATION_ID"`, authorization];
  return { order: `${order.join(' \\\n  ')}\n`, wait: `${wait.join(' \\\n  ')}\n` };
}

function typescriptSnippet({ origin, body, idempotency_key }: SnippetRequest): Snippet {
  return {
    order: `interface Generation {
  id: string;
  status: string;
  output: { assets: { url: string }[] };
}

const url = ${JSON.stringify(`${origin}/v1/generations`)};
const headers = { Authorization: \`Bearer \${process.env.EMULSION_KEY}\` };

const response = await fetch(url, {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': ${JSON.stringify(idempotency_key)} },
  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), 2)}),
});
if (!response.ok) throw new Error(await response.text());
let generation = (await response.json()) as Generation;
`,
    wait: `while (['queued', 'running'].includes(generation.status)) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const response = await fetch(\`\${url}/\${generation.id}\`, { headers });
  if (!response.ok) throw new Error(await response.text());
  generation = (await response.json()) as Generation;
}
console.log(generation.status, generation.output.assets.map((asset) => asset.url));
`,
  };
}

function pythonSnippet({ origin, body, idempotency_key }: SnippetRequest): Snippet {
  return {
    order: `import json, os, time, urllib.request

URL = ${pythonLiteral(`${origin}/v1/generations`)}
HEADERS = {"Authorization": "Bearer " + os.environ["EMULSION_KEY"]}

body = ${pythonLiteral(body)}
request = urllib.request.Request(
    URL,
    data=json.dumps(body).encode(),
    headers={**HEADERS, "Content-Type": "application/json", "Idempotency-Key": ${pythonLiteral(idempotency_key)}},
)
with urllib.request.urlopen(request) as response:
    generation = json.load(response)
`,
    wait: `while generation["status"] in ("queued", "running"):
    time.sleep(2)
    request = urllib.request.Request(URL + "/" + generation["id"], headers=HEADERS)
    with urllib.request.urlopen(request) as response:
        generation = json.load(response)
print(generation["status"], [asset["url"] for asset in generation["output"]["assets"]])
`,
  };
}

/** Formats a JSON value as Python. Strings and numbers are the same in both. */
function pythonLiteral(value: unknown, depth = 0): string {
  const inner = ' '.repeat((depth + 1) * 4);
  const lines = (items: readonly string[], [open, close]: readonly [string, string]) =>
    items.length === 0
      ? `${open}${close}`
      : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${' '.repeat(depth * 4)}${close}`;
  if (Array.isArray(value))
    return lines(
      value.map((item) => pythonLiteral(item, depth + 1)),
      ['[', ']'],
    );
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return lines(
      entries.map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 1)}`),
      ['{', '}'],
    );
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

export const SNIPPET_LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]['value'];

const WRITERS: Readonly<Record<SnippetLanguage, (request: SnippetRequest) => Snippet>> = {
  curl: curlSnippet,
  typescript: typescriptSnippet,
  python: pythonSnippet,
};

/** Writes code that sends a request. The key is always read from the environment. */
export const writeSnippet = (language: SnippetLanguage, request: SnippetRequest): Snippet => WRITERS[language](request);
