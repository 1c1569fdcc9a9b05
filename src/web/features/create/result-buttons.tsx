import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Columns2, Star, Trash2 } from 'lucide-react';
import type { Asset } from '#contract/resources/generation.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { Comparison } from './use-comparison.ts';

interface ResultButtonProps {
  asset: Asset;
  label: string;
}

export function StarButton({ asset, label }: ResultButtonProps) {
  const client = useQueryClient();
  const { data: medium } = useQuery(mediaQuery(asset.id));
  const toggleStar = useToggleStar();
  const favourite = medium?.favourite ?? false;
  const toggle = async () => {
    if (await toggleStar({ id: asset.id, favourite }))
      void client.invalidateQueries({ queryKey: mediaQuery(asset.id).queryKey });
  };
  return (
    <IconButton
      size="sm"
      label={label}
      data-tooltip={favourite ? 'Kept: remove the star' : 'Keep: add a star'}
      pressed={favourite}
      icon={<Star aria-hidden="true" className={favourite ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
      onClick={() => void toggle()}
    />
  );
}

export function DiscardButton({ asset, label }: ResultButtonProps) {
  const moveToTrash = useMoveToTrash();
  return (
    <IconButton
      size="sm"
      label={label}
      data-tooltip="Discard: move to the trash"
      icon={<Trash2 aria-hidden="true" className="size-4" />}
      onClick={() => void moveToTrash([asset.id], () => undefined)}
    />
  );
}

/** Renders nothing for a sound. */
export function CompareButton({ asset, label, comparison }: ResultButtonProps & { comparison: Comparison }) {
  if (asset.type === 'audio') return null;
  return (
    <IconButton
      size="sm"
      label={label}
      data-tooltip={comparison.selected === null ? 'Compare with another' : 'Compare with the first'}
      pressed={comparison.selected === asset.id}
      icon={<Columns2 aria-hidden="true" className="size-4" />}
      onClick={() => comparison.choose(asset.id)}
    />
  );
}
