import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CaretsToAxisDashedHorizontal, CaretsToAxisDashedVertical, Redo2, RotateCw, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { LoadError } from '#web/api/load-error.tsx';
import { mediaQuery } from '#web/api/queries/media.ts';
import { FailedFile } from '#web/media/failed-file.tsx';
import type { CropRequest } from '#web/media/outputs/open-crop-dialog.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { CropStage } from './crop-stage.tsx';
import { chooseRatio, flip, fullEdit, type Size, toTransform, turn } from './picture-edit.ts';
import { PixelFields } from './pixel-fields.tsx';
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
              icon={<CaretsToAxisDashedVertical aria-hidden="true" className={icon} />}
              onClick={() => set(flip(edit, 'horizontal'))}
            />
            <IconButton
              outlined
              label="Flip upside down"
              icon={<CaretsToAxisDashedHorizontal aria-hidden="true" className={icon} />}
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
