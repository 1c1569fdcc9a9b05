import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MediaDetail, MediaItem, MediaSource, OriginMark, UsedBy } from '#contract/resources/media.ts';
import { CredentialsSection } from '#web/media/credentials/credentials-section.tsx';
import { formatMediaMeasures, formatFileSize } from '#web/media/format-media.ts';
import { ClientAnswers } from '#web/media/library/client-answers.tsx';
import { creatorLabel, mediaTitle } from '#web/media/library/media-labels.ts';
import { RetentionDate } from '#web/media/library/retention-date.tsx';
import { GenerationLinks } from '#web/forms/inputs/generation-links.tsx';
import { useCreatorFact } from '#web/collections/creator.tsx';
import { lineageQuery } from '#web/api/queries/media.ts';
import { WhenLoaded } from '#web/api/when-loaded.tsx';
import { CopyShareLinkButton } from '#web/forms/shares/copy-share-link-button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { CopyableCode } from '#web/ui/display/code-block.tsx';
import { Money } from '#web/api/money.tsx';
import { lazily } from '#web/ui/formats.ts';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { Workflow } from 'lucide-react';
import { RenameButton } from '../rename/rename-button.tsx';
import { MediaTagEditor } from '#web/forms/tags/media-tag-editor.tsx';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
import { Button } from '#web/ui/controls/button.tsx';

const countMedia = ({ nodes }: MediaLineage, side: 1 | -1) =>
  nodes.filter(({ kind, distance }) => kind === 'media' && Math.sign(distance) === side).length;

const formatFileCount = (count: number) => (count === 1 ? '1 file' : `${count} files`);

function LineageSummary({ medium, onOpen }: { medium: Pick<MediaItem, 'id'>; onOpen: () => void }) {
  const { data, isError } = useQuery(lineageQuery(medium.id));
  if (isError) return null;
  if (!data)
    return (
      <Section title="Lineage">
        <Skeleton className="h-4 w-48" />
      </Section>
    );
  const [from, into] = [countMedia(data, -1), countMedia(data, 1)];
  return (
    <Section
      title="Lineage"
      aside={
        <Button size="sm" icon={<Workflow aria-hidden="true" className="size-4" />} onClick={onOpen}>
          Show
        </Button>
      }
    >
      <p className="text-sm text-ink-2">
        {from > 0 ? `Created from ${formatFileCount(from)}. ` : ''}
        {into > 0 ? `Used for ${formatFileCount(into)}. ` : ''}
        {from + into === 0 ? 'No related files. ' : ''}
        Total cost: <Money amount_usd={data.cost.total_usd} />.
      </p>
    </Section>
  );
}

const link = 'text-ink underline underline-offset-2';

interface MediaDetailsPanelProps {
  medium: MediaItem | MediaDetail;
  /** Only the answers on this page are shown. */
  shareId: string | undefined;
  onLineage: () => void;
}

export function MediaDetailsPanel({ medium, shareId, onLineage }: MediaDetailsPanelProps) {
  const names = useCatalogNames();
  const creator = useCreatorFact(medium.created_by);
  const { generation } = medium;
  const answers = (medium.client_answers ?? []).filter(({ share_id }) => !shareId || share_id === shareId);
  return (
    <div className="flex flex-col gap-6 px-4 pt-4 pb-8">
      {answers.length > 0 ? (
        <Section title="Client answers">
          <ClientAnswers answers={answers} />
        </Section>
      ) : null}
      {generation?.prompt ? (
        <Section title="Prompt" aside={<CopyButton text={generation.prompt} label="Copy prompt" />}>
          <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-wrap text-ink-2">
            {generation.prompt}
          </p>
        </Section>
      ) : null}
      {medium.source ? <MediaSourceSection source={medium.source} /> : null}
      <WhenLoaded key={medium.id} ids={[medium.id, 'list_tags']} className="flex flex-col gap-6">
        <Section title="Tags">
          <MediaTagEditor media={[medium]} showsLinks />
        </Section>
        <Section title="Details" aside={<CopyShareLinkButton mediaId={medium.id} />}>
          <DescriptionList rows={factRows(medium, names, creator)} />
        </Section>
        <Section title="Usage">
          {'used_by' in medium ? <MediaUses used_by={medium.used_by} /> : <Skeleton className="h-4 w-40" />}
        </Section>
        <LineageSummary medium={medium} onOpen={onLineage} />
        <CredentialsSection mediaId={medium.id} />
      </WhenLoaded>
    </div>
  );
}

function MediaSourceSection({ source: { url, author, caption } }: { source: MediaSource }) {
  return (
    <Section title="Source">
      {caption ? (
        <p dir="auto" className="mb-2 line-clamp-4 text-sm wrap-anywhere text-ink-2">
          {caption}
        </p>
      ) : null}
      <DescriptionList
        rows={[
          ...(author ? [{ name: 'Author', value: <span dir="auto">{author}</span> }] : []),
          ...(url
            ? [
                {
                  name: 'Post',
                  value: (
                    <a href={url} target="_blank" rel="noreferrer" className={link}>
                      Open at {new URL(url).hostname}
                    </a>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

const MARK_LABELS = {
  c2pa: 'Content credentials',
  xmp: 'XMP data',
  iptc: 'IPTC data',
} as const satisfies Record<OriginMark, string>;
const listFormat = lazily(() => new Intl.ListFormat('en'));

const formatLostMarks = (marks: readonly OriginMark[]): string =>
  listFormat().format(marks.map((mark) => MARK_LABELS[mark]));

interface Fact {
  name: string;
  value: ReactNode;
}

function factRows(medium: MediaItem | MediaDetail, names: CatalogNames, creator: Fact[]): Fact[] {
  const { generation, mime_type, size_bytes, created_at, kept_until, expires_at, lost_marks = [] } = medium;
  const dimensions = formatMediaMeasures({ ...medium, name: null });
  return [
    {
      name: 'Name',
      value: (
        <span className="flex items-start gap-1">
          <span dir="auto" className="min-w-0 flex-1 line-clamp-3 wrap-anywhere">
            {mediaTitle(medium, names)}
          </span>
          <span className="-my-1 flex-none">
            <RenameButton size="sm" medium={medium} />
          </span>
        </span>
      ),
    },
    ...(generation ? [{ name: 'Task', value: names.task(generation.task) }] : []),
    ...(generation?.model ? [{ name: 'Model', value: creatorLabel(medium, names) }] : []),
    ...(generation ? [{ name: 'Cost', value: <GenerationCostLink mediumId={medium.id} id={generation.id} /> }] : []),
    ...(dimensions ? [{ name: medium.type === 'audio' ? 'Duration' : 'Dimensions', value: dimensions }] : []),
    { name: 'File', value: `${mime_type.split('/')[1]?.toUpperCase()} · ${formatFileSize(size_bytes)}` },
    { name: generation ? 'Created' : 'Uploaded', value: <ExactTime at={created_at} /> },
    ...creator,
    ...(lost_marks.length > 0
      ? [
          {
            name: 'Origin',
            value: `${formatLostMarks(lost_marks)} of the source could not be kept in this file.`,
          },
        ]
      : []),
    { name: 'Retention', value: <RetentionDate at={kept_until} /> },
    ...(expires_at ? [{ name: 'Link expires', value: <ExactTime at={expires_at} /> }] : []),
    ...('sha256' in medium
      ? [{ name: 'SHA-256', value: <CopyableCode text={medium.sha256} label="Copy SHA-256" /> }]
      : []),
    {
      name: 'ID',
      value: <CopyableCode text={medium.id} label="Copy ID" />,
    },
  ];
}

function GenerationCostLink({ mediumId, id }: { mediumId: string; id: string }) {
  const { data } = useQuery(lineageQuery(mediumId));
  const generationNode = data?.nodes.find((node) => node.kind === 'generation' && node.id === id);
  return (
    <>
      {generationNode?.kind === 'generation' ? <Money amount_usd={generationNode.amount_usd} className="mr-2" /> : null}
      <Link to="/generations/$id" params={{ id }} className={link}>
        Open generation
      </Link>
    </>
  );
}

const MAX_SHOWN_USES = 5;

function MediaUses({ used_by: { count, active_count, generation_ids } }: { used_by: UsedBy }) {
  if (count === 0) return <p className="text-sm text-ink-2">Not used yet.</p>;
  return (
    <>
      <p className="text-sm text-ink-2">
        Input of {count === 1 ? '1 generation' : `${count} generations`}
        {active_count > 0 ? `, ${active_count} in progress` : ''}.
      </p>
      <GenerationLinks
        ids={generation_ids.slice(0, MAX_SHOWN_USES)}
        after={count > MAX_SHOWN_USES ? `and ${count - MAX_SHOWN_USES} more` : null}
      />
    </>
  );
}
