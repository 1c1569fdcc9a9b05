import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { ENGINE_WORDS } from '#web/forms/engine-words.ts';
import { fileType } from '#web/forms/file-type.ts';
import { assetSrc } from '#web/forms/media-info.ts';
import { measureWords, sizeWords } from '#web/forms/media-words.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { took } from '#web/ui/took.ts';
import { readNotes } from '#web/outputs/read-output-data.ts';
import { Facts, Section } from '#web/ui/section.tsx';

const fileWords = (asset: Asset) =>
  [measureWords({ ...asset, name: null }), asset.mime_type && fileType(asset.mime_type), sizeWords(asset.size_bytes)]
    .filter(Boolean)
    .join(' · ');

/** By the settings, the file or the result itself. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(
  'Platform,Query,Count,Width,Height,Duration seconds,Start seconds,End seconds'.split(','),
);

interface Fact {
  name: string;
  value: ReactNode;
}

function factsOf(generation: Generation): Fact[] {
  const { id, task, model, created_at, created_by, started_at, completed_at, workflow_run_id, output } = generation;
  const lasted = took(started_at, completed_at);
  const [file] = output.assets;
  const engine = madeBy(generation);
  return [
    { name: 'Task', value: TASKS[task].name },
    ...(model ? [{ name: 'Model', value: MODEL_NAMES[model] }] : []),
    ...(engine ? [{ name: 'Made by', value: <Engine engine={engine} /> }] : []),
    ...(file && output.assets.length === 1 ? [{ name: 'File', value: <File asset={file} /> }] : []),
    ...readNotes(output.data)
      .filter(({ name }) => engine !== 'preview' || (name !== 'Engine' && name !== 'Note'))
      .filter(({ name, text }) => !SAID_ELSEWHERE.has(name) && (name !== 'End clamped' || text === 'Yes'))
      .map(({ name, text }) => ({ name, value: text })),
    { name: 'Made with key', value: created_by.name },
    { name: 'Created', value: <ExactTime at={created_at} /> },
    ...(completed_at ? [{ name: 'Ended', value: <ExactTime at={completed_at} /> }] : []),
    ...(lasted ? [{ name: 'Took', value: lasted }] : []),
    ...(workflow_run_id ? [{ name: 'Workflow run', value: <Run id={workflow_run_id} /> }] : []),
    { name: 'ID', value: <Id id={id} /> },
  ];
}

/** When, by whom, which file, and what was attached to it. */
export function FactsSection({ generation }: { generation: Generation }) {
  const metadata = Object.entries(generation.metadata ?? {});
  return (
    <>
      {metadata.length > 0 ? (
        <Section title="Metadata">
          <Facts rows={metadata.map(([name, value]) => ({ name, value }))} />
        </Section>
      ) : null}
      <Section title="Details">
        <Facts rows={factsOf(generation)} />
      </Section>
    </>
  );
}

/** A preview says so of itself; what else a model made is its own work. Undefined while there is nothing. */
function madeBy({ status, model, output }: Generation): keyof typeof ENGINE_WORDS | undefined {
  if (status !== 'succeeded') return undefined;
  if (output.data?.['engine'] === 'preview') return 'preview';
  return model === null ? undefined : 'upstream';
}

function Engine({ engine }: { engine: keyof typeof ENGINE_WORDS }) {
  const { label, sentence } = ENGINE_WORDS[engine];
  return (
    <>
      {label}
      <span className="block text-xs text-ink-3">{sentence}</span>
    </>
  );
}

/** The way to the run of a workflow that it is a step of. */
function Run({ id }: { id: string }) {
  return (
    <Link to="/workflows/runs/$id" params={{ id }} search={{}} className="underline underline-offset-2">
      Open the run that it is a step of
    </Link>
  );
}

function Id({ id }: { id: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs select-all">{id}</code>
      <CopyButton text={id} label="Copy ID" />
    </span>
  );
}

function File({ asset }: { asset: Asset }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <span className="min-w-0 tabular-nums">{fileWords(asset)}</span>
      <CopyButton text={new URL(assetSrc(asset.url), window.location.origin).href} label="Copy link to the file" />
    </span>
  );
}
