import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTools, type SnippetLanguage } from '#contract/api/tool-snippets.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';

const run = promisify(execFile);
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

/** How a language is run; a program that is not installed leaves its snippets out. */
const COMMANDS: Partial<Record<SnippetLanguage, (text: string) => [program: string, ...args: string[]]>> = {
  TypeScript: (text) => [process.execPath, '--input-type=module-typescript', '--eval', text],
  ...(isInstalled('python3') ? { Python: (text) => ['python3', '-c', text] } : {}),
  ...(isInstalled('curl') ? { curl: (text) => ['sh', '-c', text] } : {}),
};

/** Whose versions the guide names. */
const CLIENTS = ['openai', '@fal-ai/client', 'replicate', 'ai', '@ai-sdk/openai', '@ai-sdk/fal', '@ai-sdk/replicate'];

let service: TestService;
let worker: Worker;
let origin: string;
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()] });
  worker = await startWorker(service.deps);
  origin = await service.listen();
  Object.assign(service.deps.config, { publicUrl: origin });
});
afterAll(async () => {
  await worker.stop();
  await service.close();
});

const SNIPPETS = listTools({ origin: 'ORIGIN', model: 'imgmodel-b-2' }).flatMap(({ id, name, snippets }) =>
  snippets.flatMap(({ language, text }) => {
    const command = COMMANDS[language];
    return command ? [{ id, name, language, text, command }] : [];
  }),
);

describe('what the dashboard shows', () => {
  it.each(SNIPPETS)('in $language for $name prints what it made', async ({ id, text, command }) => {
    const [program, ...args] = command(text.replaceAll('ORIGIN', origin));
    const env = { ...process.env, EMULSION_KEY: service.keys.organization };
    const { stdout } = await run(program, args, { env });
    // Its client loads the image.
    const expected = id === 'ai-sdk' ? 'image/png' : `${service.deps.config.publicUrl}/media/ast_`;
    expect(stdout).toContain(expected);
  });

  it('names the clients that are tested, in their versions', async () => {
    const root = new URL('../../../../', import.meta.url);
    const { devDependencies } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const guide = await readFile(new URL('docs/drop-in.md', root), 'utf8');
    for (const name of CLIENTS) {
      expect(guide).toContain(`\`${name}\``);
      expect(guide).toContain(devDependencies[name] ?? `a version of ${name}`);
    }
  });

  it('says which tools have code that runs here', () => {
    expect(SNIPPETS.map(({ language }) => language)).toContain('TypeScript');
  });
});
