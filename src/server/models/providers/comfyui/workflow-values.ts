import { asInputOf, type InputOf } from '#contract/task-input.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { appendRoles } from '#server/models/providers/reference-reader.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import type { ComfyUiWorkflow } from './compile-workflow.ts';
import { readSeed } from './workflow-builder.ts';

export type WorkflowTask = 'image.create' | 'image.edit' | 'video.create';
type Input = InputOf<WorkflowTask>;

const IMAGE_EDGES = { '1K': 1024, '2K': 2048, '4K': 4096 } as const;
const VIDEO_SHORT_SIDES: Readonly<Record<string, number>> = { '480p': 480, '720p': 720, '1080p': 1080, '4K': 2160 };
/** What diffusion models need; 1080 becomes 1088. */
const EDGE_STEP = 16;
/** Video models need a multiple of 4 or 8, plus the first frame. */
const FRAME_STEP = 8;
const USUAL_FPS = 24;

/** The values of titled nodes: `prompt`, `width`, `frames`, … Files are paths of references; what is not set is missing. */
export function workflowValues(job: UpstreamEngineJob, exported: ComfyUiWorkflow): Record<string, unknown> {
  const input: Input = asInputOf(job.task as WorkflowTask, job.input);
  const files = referenceTitles(job.references);
  const { duration_seconds } = input;
  return {
    ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
    ...Object.fromEntries(files.map(([title, { path }]) => [title, path])),
    ...frameSize(input, job.references, exported),
    prompt: withRoles(input.prompt, files),
    seed: readSeed(job),
    ...(duration_seconds === undefined ? {} : { frames: frameCount(duration_seconds, exported) }),
  };
}

export function referenceTitles(references: readonly ResolvedReference[]): (readonly [string, ResolvedReference])[] {
  const counts = { image: 0, video: 0, audio: 0 };
  return references.map((reference) => {
    if (['first_frame', 'last_frame', 'mask'].includes(reference.path)) return [reference.path, reference];
    const { kind } = reference.media;
    counts[kind] += 1;
    return [`${kind}_${counts[kind]}`, reference];
  });
}

/** Workflows have no place for names and roles other than the prompt. */
const withRoles = (prompt: string, files: readonly (readonly [string, ResolvedReference])[]): string =>
  appendRoles(
    prompt,
    files.flatMap(([title, reference]): [string, ResolvedReference][] =>
      reference.path === title
        ? []
        : [[title.replace('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase()), reference]],
    ),
  );

/** `auto` and `adaptive` are the shape of the first image, else that of the exported workflow. */
function frameSize(
  { aspect_ratio, resolution, duration_seconds }: Input,
  references: readonly ResolvedReference[],
  exported: ComfyUiWorkflow,
): { width: number; height: number } {
  const [, across, down] = /^(\d+):(\d+)$/.exec(aspect_ratio ?? '') ?? [];
  const ratio = across && down ? Number(across) / Number(down) : (imageRatio(references) ?? exportedRatio(exported));
  if (duration_seconds === undefined) {
    const edge = IMAGE_EDGES[resolution as keyof typeof IMAGE_EDGES] ?? IMAGE_EDGES['1K'];
    return { width: toEdge(edge * Math.sqrt(ratio)), height: toEdge(edge / Math.sqrt(ratio)) };
  }
  const shortSide = VIDEO_SHORT_SIDES[resolution ?? '720p'] ?? 720;
  return { width: toEdge(shortSide * Math.max(ratio, 1)), height: toEdge(shortSide / Math.min(ratio, 1)) };
}

const toEdge = (pixels: number): number => Math.round(pixels / EDGE_STEP) * EDGE_STEP;

function imageRatio(references: readonly ResolvedReference[]): number | null {
  const { width, height } = references.find(({ media }) => media.kind === 'image')?.media ?? {};
  return width && height ? width / height : null;
}

function exportedRatio(exported: ComfyUiWorkflow): number {
  const sizes = Object.values(exported).flatMap(({ inputs: { width, height } }) =>
    typeof width === 'number' && typeof height === 'number' && height > 0 ? [width / height] : [],
  );
  return sizes[0] ?? 1;
}

function frameCount(seconds: number, exported: ComfyUiWorkflow): number {
  const rates = Object.values(exported).flatMap(({ inputs }) => [inputs['fps'], inputs['frame_rate']]);
  const fps = rates.find((rate) => typeof rate === 'number' && rate > 0) ?? USUAL_FPS;
  return Math.round((seconds * Number(fps)) / FRAME_STEP) * FRAME_STEP + 1;
}
