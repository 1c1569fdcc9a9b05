import { useNavigate } from '@tanstack/react-router';
import { CaretsToAxisDashedHorizontal, CaretsToAxisDashedVertical, Redo2, RotateCw, Undo2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { CropRequest } from '#web/media/outputs/open-crop-dialog.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { CropStage } from './crop-stage.tsx';
import { PictureDialog, PictureLoader, type LoadedPicture } from './picture-dialog.tsx';
import { chooseRatio, flip, fullEdit, toTransform, turn } from './picture-edit.ts';
import { PixelFields } from './pixel-fields.tsx';
import { useHistory } from './use-history.ts';
import { useTransform } from './use-transform.ts';

const USUAL_RATIOS = ['1:1', '4:5', '3:2', '16:9', '9:16'];
const FREE = 'free';

interface CropDialogProps {
  request: CropRequest;
  onClose: () => void;
}

/** Crops, turns, flips and resizes a picture into a new one. */
export const CropDialog = ({ request, onClose }: CropDialogProps) => (
  <PictureLoader mediaId={request.mediaId} title="Crop" onClose={onClose}>
    {(loaded) => <CropEditor {...loaded} request={request} onClose={onClose} />}
  </PictureLoader>
);

function CropEditor({ request, url, picture, onFailed, onClose }: CropDialogProps & LoadedPicture) {
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
  const tools = [
    { label: 'Turn right', icon: RotateCw, run: () => set(turn(edit, picture)) },
    { label: 'Flip left to right', icon: CaretsToAxisDashedVertical, run: () => set(flip(edit, 'horizontal')) },
    { label: 'Flip upside down', icon: CaretsToAxisDashedHorizontal, run: () => set(flip(edit, 'vertical')) },
    { label: 'Undo', icon: Undo2, disabled: !history.canUndo, run: history.undo },
    { label: 'Redo', icon: Redo2, disabled: !history.canRedo, run: history.redo },
  ];
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
    <PictureDialog
      title="Crop"
      description="Makes a new picture, free. This one stays."
      problem={transform.problem && `${transform.problem} The picture and your changes are still here.`}
      action={{
        label: onDone ? 'Use it' : 'Save as new',
        isBusy: transform.isBusy,
        disabled: isUnchanged,
        run: () => transform.start({ image: { url }, ...changes }),
      }}
      onClose={onClose}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears keys of the controls inside */}
      <div className="flex flex-col gap-4 md:flex-row" onKeyDown={onKeyDown}>
        <CropStage {...{ url, picture, edit, set, onFailed }} isBusy={transform.isBusy} />
        <div className="flex flex-none flex-col gap-4 md:w-64">
          <div className="flex flex-wrap gap-1">
            {tools.map(({ label, icon: Icon, disabled = false, run }) => (
              <IconButton
                key={label}
                outlined
                label={label}
                icon={<Icon aria-hidden="true" className="size-4" />}
                disabled={disabled}
                onClick={run}
              />
            ))}
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
    </PictureDialog>
  );
}
