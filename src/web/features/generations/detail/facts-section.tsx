import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { ENGINE_LABELS } from '#web/forms/engine-labels.ts';
import { formatFileType } from '#web/forms/format-file-type.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { formatMediaMeasures, formatFileSize } from '#web/media/format-media.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { formatDuration } from '#web/ui/format-duration.ts';
import { readOutputFacts } from '#web/media/outputs/read-output-data.ts';
import { DescriptionList, Section } from '#web/ui/section.tsx';

const describeFile = (asset: Asset) =>
  [
    formatMediaMeasures({ ...asset, name: null }),
    asset.mime_type && formatFileType(asset.mime_type),
    formatFileSize(asset.size_bytes),
  ]
    .filter(Boolean)
    .join(' · ');

/** By the settings, the file or the result itself. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(
  'Platform,Query,Count,Width,Height,Duration seconds,Start seconds,End seconds'.split(','),
);

interface Fact {
  name: string;
  value: ReactNode;
}

function factRows(generation: Generation): Fact[] {
  const { id, task, model, created_at, created_by, started_at, completed_at, workflow_run_id, output } = generation;
  const lasted = formatDuration(started_at, completed_at);
  const [file] = output.assets;
  const engine = producingEngine(generation);
  return [
    { name: 'Task', value: TASKS[task].name },
    ...(model ? [{ name: 'Model', value: MODEL_NAMES[model] }] : []),
    ...(engine ? [{ name: 'Made by', value: <EngineFact engine={engine} /> }] : []),
    ...(file && output.assets.length === 1 ? [{ name: 'File', value: <FileFact asset={file} /> }] : []),
    ...readOutputFacts(output.data)
      .filter(({ name }) => engine !== 'preview' || (name !== 'Engine' && name !== 'Note'))
      .filter(({ name, text }) => !SHOWN_ELSEWHERE.has(name) && (name !== 'End clamped' || text === 'Yes'))
      .map(({ name, text }) => ({ name, value: text })),
    { name: 'Made with key', value: created_by.name },
    { name: 'Created', value: <ExactTime at={created_at} /> },
    ...(completed_at ? [{ name: 'Ended', value: <ExactTime at={completed_at} /> }] : []),
    ...(lasted ? [{ name: 'Took', value: lasted }] : []),
    ...(workflow_run_id ? [{ name: 'Workflow run', value: <WorkflowRunLink id={workflow_run_id} /> }] : []),
    { name: 'ID', value: <CopyableId id={id} /> },
  ];
}

/** When, by whom, which file, and what was attached to it. */
export function FactsSection({ generation }: { generation: Generation }) {
  const metadata = Object.entries(generation.metadata ?? {});
  return (
    <>
      {metadata.length > 0 ? (
        <Section title="Metadata">
          <DescriptionList rows={metadata.map(([name, value]) => ({ name, value }))} />
        </Section>
      ) : null}
      <Section title="Details">
        <DescriptionList rows={factRows(generation)} />
      </Section>
    </>
  );
}

/** A preview says so of itself; what else a model made is its own work. Undefined while there is nothing. */
function producingEngine({ status, model, output }: Generation): keyof typeof ENGINE_LABELS | undefined {
  if (status !== 'succeeded') return undefined;
  if (output.data?.['engine'] === 'preview') return 'preview';
  return model === null ? undefined : 'upstream';
}

function EngineFact({ engine }: { engine: keyof typeof ENGINE_LABELS }) {
  const { label, sentence } = ENGINE_LABELS[engine];
  return (
    <>
      {label}
      <span className="block text-xs text-ink-3">{sentence}</span>
    </>
  );
}

/** The way to the run of a workflow that it is a step of. */
function WorkflowRunLink({ id }: { id: string }) {
  return (
    <Link to="/workflows/runs/$id" params={{ id }} search={{}} className="underline underline-offset-2">
      Open the run that it is a step of
    </Link>
  );
}

function CopyableId({ id }: { id: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs select-all">{id}</code>
      <CopyButton text={id} label="Copy ID" />
    </span>
  );
}

function FileFact({ asset }: { asset: Asset }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <span className="min-w-0 tabular-nums">{describeFile(asset)}</span>
      <CopyButton text={new URL(assetSrc(asset.url), window.location.origin).href} label="Copy link to the file" />
    </span>
  );
}
