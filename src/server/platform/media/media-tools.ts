import { createDecodeQueue, type DecodeQueue } from './decode-queue.ts';
import { MediaError } from './media-error.ts';
import { createPictureProcess, type PictureProcess } from './picture-process.ts';
import { runProcess } from './run-process.ts';
import type { Confinement } from './sandbox.ts';

export interface StreamTools {
  ffmpegPath: string;
  ffprobePath: string;
  /** For example `5.1.9`. */
  ffmpegVersion: string;
  /** Whether this ffmpeg has zscale, which tone-maps HDR video. */
  hasZscale: boolean;
}

export interface MediaTools extends Confinement {
  /** null without a recent ffmpeg: images work, video and audio do not. */
  streams: StreamTools | null;
  pictures: PictureProcess;
  /** All decoding of untrusted media is queued here, except for active generations. */
  queue: DecodeQueue;
  warnings: readonly string[];
}

const MIN_FFMPEG_MAJOR = 5;

export const FFMPEG_MISSING_MESSAGE =
  `Video and audio are not available until the operator installs ffmpeg ${MIN_FFMPEG_MAJOR} or newer ` +
  'and restarts the service.';

/** Finds ffmpeg and ffprobe in PATH, and how to confine them; `streams` is null when they are missing or too old. */
export async function resolveMediaTools(
  configured: { ffmpegPath?: string | undefined; ffprobePath?: string | undefined } = {},
): Promise<MediaTools> {
  const [ffmpeg, ffprobe, confinement] = await Promise.all([
    findTool('ffmpeg', configured.ffmpegPath),
    findTool('ffprobe', configured.ffprobePath),
    findConfinement(),
  ]);
  const missing = [ffmpeg, ffprobe].flatMap((result) => ('problem' in result ? [result.problem] : []));
  const warnings = [
    ...(missing.length > 0 ? [`${missing.join(' ')} ${STREAMS_DISABLED_MESSAGE}`] : []),
    ...(confinement.can_limit ? [] : ['prlimit is missing: media processes run without memory and time limits.']),
    ...(confinement.dieWithParent.length > 0
      ? []
      : ['setpriv is missing: a media process may outlive a killed service.']),
    ...(confinement.noNetwork.length > 0
      ? []
      : ['unshare is missing or not permitted: media processes are not cut off from the network.']),
  ];
  return {
    ...confinement,
    streams: 'problem' in ffmpeg || 'problem' in ffprobe ? null : streamTools(ffmpeg, ffprobe),
    pictures: createPictureProcess(confinement),
    queue: createDecodeQueue(),
    warnings,
  };
}

const STREAMS_DISABLED_MESSAGE = `Video and audio are disabled: install ffmpeg ${MIN_FFMPEG_MAJOR} or newer, or set FFMPEG_PATH and FFPROBE_PATH, then restart.`;

/** @throws {MediaError} `tools_missing` */
export function requireStreamTools({ streams }: Pick<MediaTools, 'streams'>): StreamTools {
  if (!streams) throw new MediaError('tools_missing', FFMPEG_MISSING_MESSAGE);
  return streams;
}

const streamTools = (ffmpeg: Tool, ffprobe: Tool): StreamTools => ({
  ffmpegPath: ffmpeg.path,
  ffprobePath: ffprobe.path,
  ffmpegVersion: ffmpeg.version,
  hasZscale: ffmpeg.configuration.includes('--enable-libzimg'),
});

async function findConfinement(): Promise<Confinement> {
  const prefixes = {
    /** Needs CAP_SYS_ADMIN. */
    privileged: ['unshare', '--net', '--'],
    /** Needs user namespaces, which some kernels and containers disable for ordinary users. */
    unprivileged: ['unshare', '--user', '--map-root-user', '--net', '--'],
    dies: ['setpriv', '--pdeathsig', 'KILL', '--'],
    yields: ['nice', '-n', '5'],
  };
  const works = await findWorking({ ...prefixes, limits: ['prlimit', '--nofile=256', '--'] });
  return {
    noNetwork: works.has('privileged') ? prefixes.privileged : works.has('unprivileged') ? prefixes.unprivileged : [],
    dieWithParent: works.has('dies') ? prefixes.dies : [],
    inBackground: works.has('yields') ? prefixes.yields : [],
    can_limit: works.has('limits'),
  };
}

/** Tries all prefixes from one shell: each process that Node itself starts holds up the start of the service. */
async function findWorking(prefixes: Readonly<Record<string, readonly string[]>>): Promise<ReadonlySet<string>> {
  const script = Object.entries(prefixes).map(([name, prefix]) => `${prefix.join(' ')} true && echo ${name}`);
  return new Set((await readOutput(['sh', '-c', `${script.join('; ')}; true`])).split('\n'));
}

type ToolName = 'ffmpeg' | 'ffprobe';
const PATH_VARIABLES = { ffmpeg: 'FFMPEG_PATH', ffprobe: 'FFPROBE_PATH' } as const satisfies Record<ToolName, string>;

interface Tool {
  path: string;
  version: string;
  configuration: string;
}

async function findTool(name: ToolName, configured: string | undefined): Promise<Tool | { problem: string }> {
  const path = configured ?? name;
  const text = await readOutput([path, '-version']);
  const version = new RegExp(`^${name} version (\\S+)`).exec(text)?.[1];
  if (version === undefined) {
    const problem =
      configured === undefined ? `${name} was not found.` : `${PATH_VARIABLES[name]} does not name a working ${name}.`;
    return { problem };
  }
  if (majorVersion(version, text) < MIN_FFMPEG_MAJOR) return { problem: `${name} ${version} at ${path} is too old.` };
  return { path, version, configuration: text };
}

/** @returns empty if the command fails */
async function readOutput(command: readonly string[]): Promise<string> {
  let text = '';
  const onOutput = (chunk: Buffer): void => void (text += chunk.toString());
  const result = await runProcess(command, { timeoutMs: 10_000, onOutput }).catch(() => undefined);
  return result?.exitCode === 0 ? text : '';
}

/** Development builds (`N-110000-g…`) have only a year; ffmpeg 5.0 is from January 2022. */
function majorVersion(version: string, text: string): number {
  const numbered = /^n?(\d+)\./.exec(version)?.[1];
  if (numbered !== undefined) return Number(numbered);
  const year = Number(/Copyright \(c\) \d+-(\d{4})/.exec(text)?.[1] ?? 0);
  return year >= 2022 ? MIN_FFMPEG_MAJOR : 0;
}

const TONE_MAP =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p';

export const toneMapFilters = (tools: MediaTools, { isHdr }: { isHdr?: boolean }): string[] =>
  isHdr && tools.streams?.hasZscale ? [TONE_MAP] : [];
