import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface ConnectOptions {
  /** The newest protocol by default; `legacy` is the handshake of 2025. */
  mode?: 'auto' | 'legacy';
  headers?: Readonly<Record<string, string>>;
}

/** Connects the client of the SDK to a service, with a key in the Authorization header; null: without a credential. */
export async function connectClient(
  url: string,
  key: string | null,
  { mode = 'auto', headers = {} }: ConnectOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { ...headers, ...authorization } },
    }),
  );
  return client;
}

export const listToolNames = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

/** Returns the JSON of a result. */
export function readJson<T = Record<string, unknown>>({ content }: CallToolResult): T {
  const [first] = content;
  if (first?.type !== 'text') throw new Error('The result has no text.');
  return JSON.parse(first.text) as T;
}

interface ToolError {
  error: { code: string; message: string; details?: { path: string; message: string }[] };
}

/** Returns the error of a result. @throws if it is a success */
export function readError(result: CallToolResult): ToolError['error'] {
  if (!result.isError) throw new Error(`An error was expected: ${JSON.stringify(result.content).slice(0, 500)}`);
  return readJson<ToolError>(result).error;
}
