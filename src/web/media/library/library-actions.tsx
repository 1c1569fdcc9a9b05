import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LibraryBig, Star, Workflow } from 'lucide-react';
import type { Asset } from '#contract/resources/generation.ts';
import { useToggleStar } from './use-toggle-star.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';

const iconClass = 'size-4';
const linkClass = buttonClass({ variant: 'ghost', size: 'sm' });

export function LibraryActions({ asset }: { asset: Pick<Asset, 'id'> }) {
  const { data } = useQuery(mediaQuery(asset.id));
  const star = useToggleStar();
  const canChange = useCan('work.create');
  if (!data) return null;
  const { count } = data.used_by;
  return (
    <div className="-mx-2.5 flex flex-wrap items-center">
      {canChange ? (
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={data.favourite}
          icon={
            <Star aria-hidden="true" className={data.favourite ? 'size-4 fill-amber text-amber-text' : iconClass} />
          }
          onClick={() => void star(data)}
        >
          {data.favourite ? 'Starred' : 'Star'}
        </Button>
      ) : null}
      <Link to="/library" search={{ item: asset.id }} className={linkClass}>
        <LibraryBig aria-hidden="true" className={iconClass} />
        In the library
      </Link>
      <Link to="/library" search={{ item: asset.id, show: 'lineage' }} className={linkClass}>
        <Workflow aria-hidden="true" className={iconClass} />
        Lineage{count > 0 ? ` · used ${count === 1 ? 'once' : `${count} times`}` : ''}
      </Link>
    </div>
  );
}
