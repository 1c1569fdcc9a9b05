import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostics, type Parameters as Limits, checkSync } from 'recheck';
import { Visitor, parseSync } from 'vite';
import { PATTERN_EXCEPTIONS } from './pattern-exceptions.ts';

/** Fails for a regular expression that may take more than linear time, unless `PATTERN_EXCEPTIONS` bounds its input. */
const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCES = ['src/{contract,server}/**/*.{ts,tsx,mjs}'];
const TESTS = /\.test\.tsx?$|\/testing\//;

/** The same result on each machine: nothing depends on the time that passes, and the search for attacks is short. */
const LIMITS: Limits = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: -1,
  randomSeed: 1,
  maxIteration: 3,
  attackLimit: 3_000_000,
  maxAttackStringSize: 5_000,
  maxGeneStringSize: 1_200,
  maxInitialGenerationSize: 60,
  maxGenerationSize: 20,
  crossoverSize: 5,
  mutationSize: 5,
};

interface Found {
  source: string;
  flags: string;
  /** Built of parts that are known only when it runs. */
  isBuilt: boolean;
  file: string;
  line: number;
}

type Visitors = ConstructorParameters<typeof Visitor>[0];
type Constructed = Pick<
  Parameters<NonNullable<Visitors['NewExpression']>>[0],
  'callee' | 'arguments' | 'start' | 'end'
>;

function findPatterns(file: string): Found[] {
  const code = readFileSync(path.join(ROOT, file), 'utf8');
  const found: Found[] = [];
  const lineOf = (offset: number) => code.slice(0, offset).split('\n').length;
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} could not be parsed.`);
  const add = (source: string, flags: string, isBuilt: boolean, start: number) =>
    found.push({ source, flags, isBuilt, file, line: lineOf(start) });
  const addConstructed = ({ callee, arguments: [first, second], start, end }: Constructed) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
    const flags = second?.type === 'Literal' ? String(second.value) : '';
    if (first?.type === 'Literal' && typeof first.value === 'string') add(first.value, flags, false, start);
    else add(code.slice(start, end), '', true, start);
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) add(node.regex.pattern, node.regex.flags, false, node.start);
    },
    NewExpression: addConstructed,
    CallExpression: addConstructed,
  }).visit(program);
  return found;
}

/** Without a repetition that has no end, time per place in the text is constant; one bounded repetition multiplies it. */
const isBounded = (source: string): boolean =>
  !/[*+]|\{\d+,\}/.test(source) && (source.match(/\{\d+(?:,\d+)?\}/g) ?? []).length < 2;

/** With one start and one repetition, a text is passed at most twice. Signs in brackets count too: that errs to the safe side. */
const isSinglePass = (source: string, flags: string): boolean =>
  source.startsWith('^') &&
  !flags.includes('m') &&
  !/\||\(\?[=!<]|\{\d|\\[1-9k]/.test(source) &&
  (source.match(/[*+]/g) ?? []).length < 2;

const checked = new Map<string, Diagnostics['status']>();

function isLinear({ source, flags, isBuilt }: Found): boolean {
  if (isBuilt) return false;
  if (isBounded(source) || isSinglePass(source, flags)) return true;
  const name = `/${source}/${flags}`;
  const status = checked.get(name) ?? checkSync(source, flags, LIMITS).status;
  checked.set(name, status);
  return status === 'safe';
}

process.env['RECHECK_SYNC_BACKEND'] = 'pure';
const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((file) => !TESTS.test(file));
const patterns = files.flatMap(findPatterns);
const used = new Set<string>();
const refused = patterns.filter((pattern) => {
  if (isLinear(pattern)) return false;
  const exception = PATTERN_EXCEPTIONS.find(({ file, source }) => file === pattern.file && source === pattern.source);
  if (exception) used.add(`${exception.file} ${exception.source}`);
  return !exception;
});
const unused = PATTERN_EXCEPTIONS.filter(({ file, source }) => !used.has(`${file} ${source}`));
for (const { file, line, source, isBuilt } of refused)
  process.stderr.write(
    `${file}:${line}: ${source}\n  ${isBuilt ? 'is built at run time and can’t be checked' : 'may take more than linear time'}. Write it in another way, or bound its input and list it in pattern-exceptions.ts.\n`,
  );
for (const { file, source } of unused)
  process.stderr.write(`${file} needs no exception for ${source}: remove it from pattern-exceptions.ts.\n`);
process.stdout.write(
  `Patterns: ${patterns.length} in ${files.length} files, ${used.size} exceptions, ${refused.length} refused.\n`,
);
if (refused.length + unused.length > 0) process.exitCode = 1;
