import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Star, Trash2 } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { Button } from '#web/ui/button.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { GenerationRunView } from './generation-run-view.tsx';
import { closeRuns } from './open-runs.ts';
import type { Run } from './runs.ts';
import { VariationGroup } from './variations/variation-group.tsx';
import { SideBySideRuns } from './side-by-side-runs.tsx';

/** Shows the open run large, or the runs of its group side by side. */
export function RunsView({ runs, onClose }: { runs: readonly Run[]; onClose: () => void }) {
  const [first] = runs;
  useCommands([{ group: 'Create', label: 'Close the result', keys: 'escape', hiddenInPalette: true, run: onClose }]);
  if (!first) return null;
  return (
    <>
      <div className="mb-2 -ml-2 flex items-center gap-0.5">
        <Button
          size="sm"
          variant="ghost"
          className="mr-auto"
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          onClick={onClose}
        >
          All results
        </Button>
        {runs.length === 1 && first.generation_id !== null ? <FileButtons generation_id={first.generation_id} /> : null}
      </div>
      {runs.length === 1 ? (
        <GenerationRunView key={first.id} run={first} />
      ) : first.together ? (
        <VariationGroup key={first.group} runs={runs} />
      ) : (
        <SideBySideRuns runs={runs} />
      )}
    </>
  );
}

/** Star and delete the files of the open generation. */
function FileButtons({ generation_id }: { generation_id: string }) {
  const { data } = useQuery(generationQuery(generation_id));
  const canChange = useCan('work.create');
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const assets = data?.output.assets.filter(({ removed_at }) => !removed_at) ?? [];
  const [asset] = assets;
  if (!asset || !canChange) return null;
  const { id, favourite = false } = asset;
  return (
    <>
      {assets.length === 1 ? (
        <IconButton
          size="sm"
          label={favourite ? 'Remove star' : 'Star'}
          icon={<Star aria-hidden="true" className={favourite ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
          onClick={() => void star({ id, favourite })}
        />
      ) : null}
      <IconButton
        size="sm"
        label="Delete"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() =>
          void moveToTrash(
            assets.map((each) => each.id),
            closeRuns,
          )
        }
      />
    </>
  );
}
