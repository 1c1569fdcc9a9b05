import { createRequire } from 'node:module';
import { accessSync, chmodSync, constants } from 'node:fs';
import { MediaError } from './media-error.ts';
import { runProcess } from './run-process.ts';

/** The programs that read and write media, found once at start. */
export interface MediaTools {
  ffmpeg_path: string;
  ffprobe_path: string;
  /** As ffmpeg states it, for example `5.1.9`. */
  ffmpeg_version: string;
  /** Whether this ffmpeg has zscale, which turns HDR pictures into ones that every screen shows rightly. */
  has_zscale: boolean;
  /** Put before every command so that no process outlives us, however we end. */
  die_with_parent: readonly string[];
  /** Put before a command that is to leave the processor to others. */
  in_background: readonly string[];
  /** Whether `prlimit` is there to bound memory, time and files of a process that reads untrusted media. */
  can_limit: boolean;
  /** Sentences for the operator's log. */
  warnings: readonly string[];
}

const OLDEST_SYSTEM_MAJOR = 5;
const require = createRequire(import.meta.url);

/**
 * Finds ffmpeg and ffprobe: the given paths, else the system's if recent enough, else the optional npm packages.
 * @throws {MediaError} when there is none, or a given path does not work
 */
export async function resolveMediaTools(
  given: { ffmpeg_path?: string | undefined; ffprobe_path?: string | undefined } = {},
): Promise<MediaTools> {
  const [ffmpeg, ffprobe, dies, limits, yields] = await Promise.all([
    findTool('ffmpeg', given.ffmpeg_path),
    findTool('ffprobe', given.ffprobe_path),
    works(['setpriv', '--pdeathsig', 'KILL', '--', 'true']),
    works(['prlimit', '--nofile=256', '--', 'true']),
    works(['nice', '-n', '5', 'true']),
  ]);
  const warnings = [ffmpeg, ffprobe].flatMap((tool) =>
    tool.major < OLDEST_SYSTEM_MAJOR
      ? [`${tool.name} ${tool.version} at ${tool.path} is old: install ffmpeg ${OLDEST_SYSTEM_MAJOR} or newer.`]
      : [],
  );
  if (!limits) warnings.push('prlimit is missing: media processes run without memory and time limits.');
  if (!dies) warnings.push('setpriv is missing: a media process may outlive a killed service.');
  return {
    ffmpeg_path: ffmpeg.path,
    ffprobe_path: ffprobe.path,
    ffmpeg_version: ffmpeg.version,
    has_zscale: ffmpeg.configuration.includes('--enable-libzimg'),
    die_with_parent: dies ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [],
    in_background: yields ? ['nice', '-n', '5'] : [],
    can_limit: limits,
    warnings,
  };
}

type ToolName = 'ffmpeg' | 'ffprobe';
const VARIABLE = { ffmpeg: 'FFMPEG_PATH', ffprobe: 'FFPROBE_PATH' } as const satisfies Record<ToolName, string>;

interface Tool {
  name: ToolName;
  path: string;
  version: string;
  major: number;
  /** All that it says of itself. */
  configuration: string;
}

async function findTool(name: ToolName, given: string | undefined): Promise<Tool> {
  if (given !== undefined) {
    const tool = await versionOf(name, given);
    if (tool) return tool;
    throw new MediaError('processing_failed', `${VARIABLE[name]} does not name a working ${name}.`);
  }
  const system = await versionOf(name, name);
  if (system && system.major >= OLDEST_SYSTEM_MAJOR) return system;
  const bundled = bundledPath(name);
  const fallback = bundled === undefined ? undefined : await versionOf(name, bundled);
  const tool = fallback ?? system;
  if (tool) return tool;
  throw new MediaError('processing_failed', `${name} was not found. Install ffmpeg or set ${VARIABLE[name]}.`);
}

async function versionOf(name: ToolName, path: string): Promise<Tool | undefined> {
  let text = '';
  const onOutput = (chunk: Buffer): void => void (text += chunk.toString());
  const ran = await runProcess([path, '-version'], { timeout_ms: 10_000, onOutput }).catch(() => undefined);
  const version = new RegExp(`^${name} version (\\S+)`).exec(text)?.[1];
  if (ran?.exit_code !== 0 || version === undefined) return undefined;
  return { name, path, version, major: majorOf(version, text), configuration: text };
}

/** Builds from the head of its repository (`N-110000-g…`) have no number: their year tells. ffmpeg 5.0 is of January 2022. */
function majorOf(version: string, text: string): number {
  const numbered = /^n?(\d+)\./.exec(version)?.[1];
  if (numbered !== undefined) return Number(numbered);
  const year = Number(/Copyright \(c\) \d+-(\d{4})/.exec(text)?.[1] ?? 0);
  return year >= 2022 ? OLDEST_SYSTEM_MAJOR : 0;
}

function bundledPath(name: ToolName): string | undefined {
  try {
    const bundle: unknown = require(`@${name}-installer/${name}`);
    if (typeof bundle !== 'object' || bundle === null || !('path' in bundle)) return undefined;
    if (typeof bundle.path !== 'string') return undefined;
    makeExecutable(bundle.path);
    return bundle.path;
  } catch {
    // Optional: not installed, or not built for this platform.
    return undefined;
  }
}

/** Their install scripts set the run bit, and install scripts may be switched off. */
function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
}

const works = async (command: [string, ...string[]]): Promise<boolean> =>
  (await runProcess(command, { timeout_ms: 10_000 }).catch(() => undefined))?.exit_code === 0;
