import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '#server/platform/core/settings/variables.ts';

const root = join(import.meta.dirname, '../../..');
const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The headings of docs/rules.md, by the mark of the comments that cite them. */
const [, interfacePart = '', decisionPart = ''] = readText('docs/rules.md').split(
  /^# (?:The interface|What we decided)$/m,
);
const listHeadings = (text: string): string[] => [...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, name = '']) => name);
const headings: Record<string, string[]> = {
  Spec: listHeadings(interfacePart),
  Decision: listHeadings(decisionPart),
};

/** A mark and the headings after it, up to the end of the sentence, the comment or the line. */
const CITATION = /\b(Spec|Decision): ((?:(?!\. |\.?$|;| \*\/| @).)+)/gm;

function listCitations(file: string) {
  const comments = readText(file).matchAll(/^.*(?:\/\/|\*).*$/gm);
  return [...comments].flatMap(([line]) =>
    [...line.matchAll(CITATION)].flatMap(([, mark = '', names = '']) =>
      names.split(', ').map((heading) => ({ file, mark, heading })),
    ),
  );
}

test('each Spec and Decision comment names headings of docs/rules.md', () => {
  const citations = globSync('{src,e2e}/**/*.{ts,tsx}', { cwd: root }).flatMap(listCitations);
  expect(citations.length).toBeGreaterThan(150);
  expect(citations.filter(({ mark, heading }) => !headings[mark]?.includes(heading))).toEqual([]);
});

test('each heading of docs/rules.md occurs once in its part', () => {
  for (const names of Object.values(headings)) expect(names).toEqual([...new Set(names)]);
});

test('each path and link in the documents exists', () => {
  const documents = ['README.md', ...globSync('{docs,.github}/**/*.md', { cwd: root })];
  const missing = documents.flatMap((document) => {
    const text = readText(document);
    const paths = [...text.matchAll(/`((?:src|docs|e2e)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    const links = [...text.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)].map(([, file = '']) =>
      join(dirname(document), file),
    );
    return [...paths, ...links].filter((path) => !existsSync(join(root, path))).map((path) => ({ document, path }));
  });
  expect(missing).toEqual([]);
});

const listNames = (file: string, pattern: RegExp): string[] =>
  [...readText(`docs/deploy/${file}`).matchAll(pattern)].map(([, name = '']) => name);

test('each variable that docs/deploy sets exists in the configuration', () => {
  const configured = new Set<string>(VARIABLES);
  const ofOthers = /^(POSTGRES_|AWS_|NODE_)/;
  const set = [
    ...listNames('compose.yaml', /^ +([A-Z][A-Z0-9_]+): /gm),
    ...listNames('compose.yaml', /\$\{([A-Z][A-Z0-9_]+)/g),
    ...listNames('env.example', /^(?:# )?([A-Z][A-Z0-9_]+)=/gm),
    ...listNames('Dockerfile', /^(?:ENV| {3}) ([A-Z][A-Z0-9_]+)=/gm),
    ...listNames('emulsion.service', /(?:^Environment=| )([A-Z][A-Z0-9_]+)=/gm),
    ...listNames('Caddyfile', /\{\$([A-Z][A-Z0-9_]+)\}/g),
    ...listNames('README.md', /(?:--env |--setenv=)([A-Z][A-Z0-9_]+)=/g),
  ].filter((name) => !ofOthers.test(name));
  expect(set.length).toBeGreaterThan(25);
  expect(set.filter((name) => !configured.has(name))).toEqual([]);
});

test('each variable of the configuration is documented, and read', () => {
  const guides = globSync('docs/*.md', { cwd: root }).map(readText).join('\n');
  const sources = globSync('src/server/platform/core/**/*.ts', { cwd: root })
    .filter((file) => !/(?:variables|\.test)\.ts$/.test(file))
    .map(readText)
    .join('\n');
  expect(VARIABLES.filter((name) => !new RegExp(`\\b${name}\\b`).test(guides))).toEqual([]);
  expect(VARIABLES.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});

test('each program that docs/deploy starts exists', () => {
  const programs = ['Dockerfile', 'compose.yaml', 'emulsion.service', 'README.md'].flatMap((file) =>
    listNames(file, /\b(src\/[\w./-]+\.mjs)/g),
  );
  expect(programs.length).toBeGreaterThan(2);
  expect(programs.filter((program) => !existsSync(join(root, program)))).toEqual([]);
});

test('docs/deploy names the version of package.json', () => {
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  expect(listNames('Dockerfile', /^ARG VERSION=(.+)$/gm)).toEqual([version]);
  const tags = ['Dockerfile', 'compose.yaml', 'README.md'].flatMap((file) => listNames(file, /\bemulsion:(\d[\w.]+)/g));
  expect(new Set(tags)).toEqual(new Set([version]));
});

test('docs/deploy gives a process the time that it takes to stop', () => {
  const [delay] = listNames('compose.yaml', /SHUTDOWN_DELAY_SECONDS: '(\d+)'/g).map(Number);
  const [grace] = listNames('compose.yaml', /stop_grace_period: (\d+)s/g).map(Number);
  expect(grace).toBeGreaterThan(Number(delay) + 15);
});
