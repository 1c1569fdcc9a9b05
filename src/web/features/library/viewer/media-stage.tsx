import { type ReactNode, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { FailedFile } from '../failed-file.tsx';
import { VideoStage } from './video-stage.tsx';
import { ImageStage } from './image-stage.tsx';
import { AudioStage } from './audio-stage.tsx';

export interface MediaStageProps {
  medium: MediaItem;
  title: string;
  /** False while another dialog covers the viewer. */
  hasShortcuts: boolean;
  onStep: (by: 1 | -1) => void;
  onError: () => void;
}

const stages = { image: ImageStage, video: VideoStage, audio: AudioStage } satisfies Record<
  MediaItem['type'],
  (props: MediaStageProps) => ReactNode
>;

export function MediaStage(props: Omit<MediaStageProps, 'onError'> & { onReload: () => void }) {
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
