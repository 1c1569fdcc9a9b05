import { useQuery } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import type { MediaItem } from '#contract/resources/media.ts';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { lineageQuery } from '#web/api/queries/media.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const countMedia = ({ nodes }: MediaLineage, side: 1 | -1) =>
  nodes.filter(({ kind, distance }) => kind === 'media' && Math.sign(distance) === side).length;

const formatFileCount = (count: number) => (count === 1 ? '1 file' : `${count} files`);

export function LineageSummary({ medium, onOpen }: { medium: Pick<MediaItem, 'id'>; onOpen: () => void }) {
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
        {from > 0 ? `Made from ${formatFileCount(from)}. ` : ''}
        {into > 0 ? `Used to make ${formatFileCount(into)}. ` : ''}
        {from + into === 0 ? 'No related files. ' : ''}
        Total cost: <Money amount_usd={data.cost.total_usd} />.
      </p>
    </Section>
  );
}
