import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The headings of docs/rules.md, by the mark of the comments that cite them. */
const [, interface_part = '', decision_part = ''] = readText('docs/rules.md').split(
  /^# (?:The interface|What we decided)$/m,
);
const listHeadings = (text: string): string[] => [...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, name = '']) => name);
const headings: Record<string, string[]> = {
  Spec: listHeadings(interface_part),
  Decision: listHeadings(decision_part),
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
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: root })];
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
