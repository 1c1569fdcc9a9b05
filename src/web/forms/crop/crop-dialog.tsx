import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FlipHorizontal2, FlipVertical2, Redo2, RotateCw, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { LoadError } from '#web/api/load-error.tsx';
import { mediaQuery } from '#web/api/queries/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { FailedFile } from '#web/media/failed-file.tsx';
import type { CropRequest } from '#web/media/outputs/open-crop-dialog.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import {
  chooseRatio,
  clampRect,
  flip,
  fromShown,
  fullEdit,
  parseRatio,
  type PictureEdit,
  type Rect,
  shownSize,
  type Size,
  toShown,
  toTransform,
  turn,
} from './picture-edit.ts';
import { useHistory } from './use-history.ts';
import { useTransform } from './use-transform.ts';

const USUAL_RATIOS = ['1:1', '4:5', '3:2', '16:9', '9:16'];
const FREE = 'free';
const icon = 'size-4';

interface CropDialogProps {
  request: CropRequest;
  onClose: () => void;
}

/** Crops, turns, flips and resizes a picture into a new one. */
export function CropDialog({ request, onClose }: CropDialogProps) {
  const { data, error, refetch } = useQuery(mediaQuery(request.mediaId));
  const [failed, setFailed] = useState(false);
  if (data?.width && data.height && !failed)
    return (
      <CropEditor
        request={request}
        url={data.url}
        picture={{ width: data.width, height: data.height }}
        onFailed={() => setFailed(true)}
        onClose={onClose}
      />
    );
  return (
    <Dialog open onClose={onClose} title="Crop" size="xl">
      {error ? (
        <LoadError what="The picture" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <FailedFile
          onRetry={() => {
            setFailed(false);
            void refetch();
          }}
        />
      ) : (
        <Loading label="Loading">
          <Skeleton className="h-80 rounded-md" />
        </Loading>
      )}
    </Dialog>
  );
}

interface CropEditorProps extends CropDialogProps {
  url: string;
  picture: Size;
  onFailed: () => void;
}

function CropEditor({ request, url, picture, onFailed, onClose }: CropEditorProps) {
  const { ratios = [], onDone } = request;
  const navigate = useNavigate();
  const [wanted = null] = ratios;
  const history = useHistory(() => chooseRatio(fullEdit(picture), picture, wanted));
  const { value: edit, set } = history;
  const transform = useTransform((file) => {
    onClose();
    if (onDone) onDone(file);
    else void navigate({ to: '/library', search: { item: file.id } });
  });
  const changes = toTransform(edit, picture);
  const isUnchanged = Object.keys(changes).length === 0;
  const onKeyDown = (event: KeyboardEvent) => {
    // A viewer below would step through its files.
    if (event.key.startsWith('Arrow')) event.stopPropagation();
    const isUndo = event.key.toLowerCase() === 'z' && (event.metaKey || event.ctrlKey);
    if (!isUndo || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    if (event.shiftKey) history.redo();
    else history.undo();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Crop"
      description="Makes a new picture, free. This one stays."
      size="xl"
      footer={
        <>
          {transform.problem ? (
            <span className="mr-auto self-center">
              <ErrorText>{transform.problem} The picture and your changes are still here.</ErrorText>
            </span>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={transform.isBusy}
            disabled={isUnchanged}
            onClick={() => transform.start({ image: { url }, ...changes })}
          >
            {onDone ? 'Use it' : 'Save as new'}
          </Button>
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears keys of the controls inside */}
      <div className="flex flex-col gap-4 md:flex-row" onKeyDown={onKeyDown}>
        <CropStage {...{ url, picture, edit, set, onFailed }} isBusy={transform.isBusy} />
        <div className="flex flex-none flex-col gap-4 md:w-64">
          <div className="flex flex-wrap gap-1">
            <IconButton
              outlined
              label="Turn right"
              icon={<RotateCw aria-hidden="true" className={icon} />}
              onClick={() => set(turn(edit, picture))}
            />
            <IconButton
              outlined
              label="Flip left to right"
              icon={<FlipHorizontal2 aria-hidden="true" className={icon} />}
              onClick={() => set(flip(edit, 'horizontal'))}
            />
            <IconButton
              outlined
              label="Flip upside down"
              icon={<FlipVertical2 aria-hidden="true" className={icon} />}
              onClick={() => set(flip(edit, 'vertical'))}
            />
            <IconButton
              label="Undo"
              icon={<Undo2 aria-hidden="true" className={icon} />}
              disabled={!history.canUndo}
              onClick={history.undo}
            />
            <IconButton
              label="Redo"
              icon={<Redo2 aria-hidden="true" className={icon} />}
              disabled={!history.canRedo}
              onClick={history.redo}
            />
            <Button size="sm" variant="ghost" className="self-center" onClick={() => set(fullEdit(picture))}>
              Reset
            </Button>
          </div>
          <Field label="Ratio" group>
            <SegmentedControl
              size="sm"
              value={edit.ratio ?? FREE}
              onChange={(ratio) => set(chooseRatio(edit, picture, ratio === FREE ? null : ratio))}
              options={[...new Set([...ratios, FREE, ...USUAL_RATIOS])].map((ratio) => ({
                value: ratio,
                label: ratio === FREE ? 'Free' : ratio,
              }))}
            />
          </Field>
          <PixelFields {...{ picture, edit, set }} />
        </div>
      </div>
    </Dialog>
  );
}

interface EditProps {
  picture: Size;
  edit: PictureEdit;
  set: (edit: PictureEdit) => void;
}

/** Cuts what is shown to a part of it. */
const withShownCrop = ({ picture, edit }: EditProps, shown: Rect): PictureEdit => ({
  ...edit,
  crop: fromShown(clampRect(shown, shownSize(picture, edit)), picture, edit),
});

/** The picture with its selection, which pointers drag and arrow keys move, in steps of 10 with Shift. */
function CropStage({
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
  const percent = (rect: Rect) => ({
    unit: '%' as const,
    x: (100 * rect.x) / shown.width,
    y: (100 * rect.y) / shown.height,
    width: (100 * rect.width) / shown.width,
    height: (100 * rect.height) / shown.height,
  });
  const fromPercent = ({ x, y, width, height }: Rect): Rect => ({
    x: (x * shown.width) / 100,
    y: (y * shown.height) / 100,
    width: (width * shown.width) / 100,
    height: (height * shown.height) / 100,
  });
  return (
    <div className="flex min-w-0 flex-1 items-center justify-center rounded-md bg-sunken p-2">
      <ReactCrop
        crop={percent(part)}
        {...(edit.ratio === null ? {} : { aspect: parseRatio(edit.ratio) })}
        keepSelection
        ruleOfThirds
        disabled={isBusy}
        onChange={(_pixels, next) => setDragged(fromPercent(next))}
        onComplete={(_pixels, next) => {
          setDragged(null);
          const changed = withShownCrop(props, fromPercent(next));
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

/** The part and the size of the result by numbers. */
function PixelFields(props: EditProps) {
  const { picture, edit, set } = props;
  const shown = shownSize(picture, edit);
  const part = toShown(edit.crop, picture, edit);
  const width = edit.width ?? part.width;
  const height = Math.max(1, Math.round((part.height * width) / part.width));
  const cut = (change: Partial<Rect>) => set(withShownCrop({ ...props, edit: { ...edit, ratio: null } }, { ...part, ...change }));
  const resize = (next: number) => set({ ...edit, width: next === part.width ? null : Math.max(1, Math.round(next)) });
  const field = (label: string, value: number, max: number, onChange: (next: number) => void) => (
    <Field label={label}>
      <NumberField
        value={value}
        min={label === 'Left' || label === 'Top' ? 0 : 1}
        max={max}
        onChange={(next) => {
          if (next !== null && Number.isFinite(next) && next >= 0) onChange(next);
        }}
      />
    </Field>
  );
  return (
    <>
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1 text-sm font-medium">Part to keep, in pixels</legend>
        {field('Left', part.x, shown.width, (x) => cut({ x }))}
        {field('Top', part.y, shown.height, (y) => cut({ y }))}
        {field('Width', part.width, shown.width, (next) => cut({ width: next }))}
        {field('Height', part.height, shown.height, (next) => cut({ height: next }))}
      </fieldset>
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1 text-sm font-medium">Size of the new picture</legend>
        {field('Result width', width, 16_383, resize)}
        {field('Result height', height, 16_383, (next) => resize((next * part.width) / part.height))}
      </fieldset>
    </>
  );
}
