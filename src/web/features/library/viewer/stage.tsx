import { ImageOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { Button } from '#web/ui/button.tsx';
import { ClipStage } from './clip-stage.tsx';
import { PictureStage } from './picture-stage.tsx';
import { SoundStage } from './sound-stage.tsx';

export interface StageProps {
  medium: MediaItem;
  title: string;
  /** Whether the keys are for it: not while another window lies over it. */
  keys: boolean;
  onStep: (by: 1 | -1) => void;
  onError: () => void;
}

const stages = { image: PictureStage, video: ClipStage, audio: SoundStage } satisfies Record<
  MediaItem['type'],
  (props: StageProps) => ReactNode
>;

/** A medium as large as there is room. */
export function Stage(props: Omit<StageProps, 'onError'> & { onReload: () => void }) {
  const { medium, onReload, ...rest } = props;
  const [failed, setFailed] = useState<string>();
  const View = stages[medium.type];
  if (failed === medium.url)
    return (
      <div className="flex size-full flex-col items-center justify-center gap-3 px-6 text-center text-sm text-ink-2">
        <ImageOff aria-hidden="true" className="size-6 stroke-[1.5] text-ink-3" />
        <p>The file can’t be loaded. Its link may have run out, or it was deleted meanwhile.</p>
        <Button
          size="sm"
          onClick={() => {
            setFailed(undefined);
            onReload();
          }}
        >
          Try again
        </Button>
      </div>
    );
  return <View {...rest} medium={medium} onError={() => setFailed(medium.url)} />;
}
