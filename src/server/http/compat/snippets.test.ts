import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTools, type SnippetLanguage } from '#contract/tool-snippets.ts';
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

let service: TestService;
let worker: Worker;
let origin: string;
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()] });
  worker = await startWorker(service.deps);
  origin = await service.listen();
});
afterAll(async () => {
  await worker.stop();
  await service.close();
});

const SNIPPETS = listTools({ origin: 'ORIGIN', model: 'imgmodel-b-2' }).flatMap(({ name, snippets }) =>
  snippets.flatMap(({ language, text }) => {
    const command = COMMANDS[language];
    return command ? [{ name, language, text, command }] : [];
  }),
);

describe('what the dashboard shows', () => {
  it.each(SNIPPETS)('in $language for $name prints the address of an image', async ({ text, command }) => {
    const [program, ...args] = command(text.replaceAll('ORIGIN', origin));
    const env = { ...process.env, EMULSION_KEY: service.keys.organization };
    const { stdout } = await run(program, args, { env, timeout: 30_000 });
    expect(stdout).toContain(`${service.deps.config.publicUrl}/media/ast_`);
  });

  it('says which tools have code that runs here', () => {
    expect(SNIPPETS.map(({ language }) => language)).toContain('TypeScript');
  });
});
