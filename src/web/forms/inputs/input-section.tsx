import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import type { MediaKind } from '#contract/task.ts';
import { ReferenceThumbnail } from '../fields/reference-thumbnail.tsx';
import type { MediaReference } from '#web/forms/values/form-values.ts';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { formatMediaMeasures, referenceName } from '#web/media/format-media.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { describeInput, type InputRow } from './describe-input.ts';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';

export const InputSection = ({ generation: { task, model, input } }: { generation: Generation }) => (
  <InputRows rows={describeInput(task, model, input)} />
);

export function InputRows({ rows }: { rows: readonly InputRow[] }) {
  const texts = rows.filter((row) => row.kind === 'text');
  const references = rows.filter((row) => row.kind === 'references');
  const values = rows.filter((row) => row.kind === 'value');
  return (
    <>
      {texts.map((row) => (
        <Section
          key={row.name}
          title={row.label}
          aside={<CopyButton text={row.text} label={`Copy ${row.label.toLowerCase()}`} />}
        >
          <LongText text={row.text} />
        </Section>
      ))}
      {references.map((row) => (
        <Section key={row.name} title={row.label}>
          <References row={row} />
        </Section>
      ))}
      {values.length > 0 ? (
        <Section title="Settings">
          <DescriptionList rows={values.map(({ label, text }) => ({ name: label, value: text }))} />
        </Section>
      ) : null}
    </>
  );
}

const LONG_TEXT_LENGTH = 600;

function LongText({ text }: { text: string }) {
  const [expanded, setExpanded] = useState(false);
  const isTruncated = text.length > LONG_TEXT_LENGTH && !expanded;
  return (
    <p dir="auto" className="whitespace-pre-wrap wrap-anywhere text-ink-2">
      {isTruncated ? `${text.slice(0, LONG_TEXT_LENGTH).trimEnd()}… ` : text}
      {isTruncated ? (
        <button
          type="button"
          className="font-medium text-ink underline underline-offset-2"
          onClick={() => setExpanded(true)}
        >
          Show all
        </button>
      ) : null}
    </p>
  );
}

function References({ row }: { row: Extract<InputRow, { kind: 'references' }> }) {
  return (
    <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
      {row.items.map((item, index) => (
        <li key={`${index}${item.url}`}>
          <ReferenceCard reference={item} media={row.media} />
        </li>
      ))}
    </ul>
  );
}

function ReferenceCard({ reference: { url, role }, media }: { reference: MediaReference; media: MediaKind }) {
  const info = useReferenceDetails(url);
  const src = serviceMediaSrc(url);
  const href = src ?? (URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined);
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="flex items-center gap-3 rounded-md border border-line p-1.5 transition-colors hover:bg-hover"
    >
      <ReferenceThumbnail url={url} media={media} className="size-11 flex-none rounded-sm" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-sm">
          {referenceName(url, info, src !== null)}
        </span>
        <span className="block truncate text-xs text-ink-3">
          {role ?? (formatMediaMeasures(info) || 'Opens in a new tab')}
        </span>
      </span>
      <ExternalLink aria-hidden="true" className="mr-1.5 size-3.5 flex-none text-ink-3" />
    </a>
  );
}
