import { type ReactNode, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { FailedFile } from '../failed-file.tsx';
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
      <FailedFile
        onRetry={() => {
          setFailed(undefined);
          onReload();
        }}
      />
    );
  return <View {...rest} medium={medium} onError={() => setFailed(medium.url)} />;
}
