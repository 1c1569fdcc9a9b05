import { useState } from 'react';
import { ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { assetSrc } from '#web/api/reference-info.ts';
import {
  type EditProps,
  fromPercent,
  parseRatio,
  type Rect,
  shownSize,
  toPercent,
  toShown,
  withShownCrop,
} from './picture-edit.ts';

/** The picture with its selection, which pointers drag and arrow keys move, in steps of 10 with Shift. */
export function CropStage({
  url,
  isBusy,
  onFailed,
  ...props
}: EditProps & { url: string; isBusy: boolean; onFailed: () => void }) {
  const { picture, edit, set } = props;
  /** While a pointer drags. */
  const [dragged, setDragged] = useState<Rect | null>(null);
  const shown = shownSize(picture, edit);
  const part = dragged ?? toShown(edit.crop, picture, edit);
  return (
    <div className="flex min-w-0 flex-1 items-center justify-center rounded-md bg-sunken p-2">
      <ReactCrop
        crop={toPercent(part, shown)}
        {...(edit.ratio === null ? {} : { aspect: parseRatio(edit.ratio) })}
        keepSelection
        ruleOfThirds
        disabled={isBusy}
        onChange={(_pixels, next) => setDragged(fromPercent(next, shown))}
        onComplete={(_pixels, next) => {
          setDragged(null);
          const changed = withShownCrop(props, fromPercent(next, shown));
          if (JSON.stringify(changed.crop) !== JSON.stringify(edit.crop)) set(changed);
        }}
        style={{ width: `min(100%, calc(52dvh * ${shown.width / shown.height}))` }}
      >
        <div
          className="relative touch-none overflow-hidden"
          style={{ aspectRatio: `${shown.width} / ${shown.height}` }}
        >
          <img
            src={assetSrc(url)}
            alt=""
            draggable={false}
            onError={onFailed}
            className="absolute top-1/2 left-1/2 max-w-none select-none"
            style={{
              width: `${(100 * picture.width) / shown.width}%`,
              height: `${(100 * picture.height) / shown.height}%`,
              transform: `translate(-50%, -50%) scaleX(${edit.isMirrored ? -1 : 1}) rotate(${edit.quarters * 90}deg)`,
            }}
          />
        </div>
      </ReactCrop>
    </div>
  );
}
