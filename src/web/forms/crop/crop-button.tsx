import { Crop } from 'lucide-react';
import type { InputContract } from '#contract/task.ts';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { serviceMediaId } from '#web/api/reference-info.ts';
import { choiceOptions, isRatioField, parseAspectRatio } from '#web/forms/models/compare-options.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import { openCropDialog } from '#web/media/outputs/open-crop-dialog.ts';
import { useCanTransform } from '#web/media/outputs/use-can-transform.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { cx } from '#web/ui/cx.ts';
import { useFormValue, useTaskForm } from '../form-context.ts';

/** Smaller differences are not seen. */
const MAX_DIFFERENCE = 0.03;

const isRatio = (option: unknown): option is string => /^\d+:\d+$/.test(String(option));

/** Ratios that the model takes, the chosen one first. */
function takenRatios({ fields }: InputContract, values: FormValues): string[] {
  const field = fields.find(isRatioField);
  if (field?.kind !== 'choice') return [];
  const chosen = values[field.name];
  const options = choiceOptions(field).filter(isRatio);
  return isRatio(chosen) ? [chosen, ...options.filter((option) => option !== chosen)] : options;
}

interface CropButtonProps {
  name: string;
  url: string;
  /** Whether the result has the shape of this picture. */
  setsShape: boolean;
  onReplace: (url: string) => void;
  className?: string;
}

/** Crops the picture of a field; says to what ratio where the model wants another one. */
export function CropButton({ name, url, setsShape, onReplace, className }: CropButtonProps) {
  const { form } = useTaskForm();
  const chosen = useFormValue((values) => {
    const field = form.contract.fields.find(isRatioField);
    return field && isRatio(values[field.name]) ? String(values[field.name]) : null;
  });
  const info = useReferenceDetails(url);
  const canTransform = useCanTransform();
  const mediaId = serviceMediaId(url);
  if (mediaId === null || !canTransform) return null;
  const wanted = parseAspectRatio(chosen);
  const isOff =
    wanted !== null &&
    info?.width &&
    info.height &&
    Math.abs(Math.log(info.width / info.height / wanted)) > MAX_DIFFERENCE;
  const open = () =>
    openCropDialog({
      mediaId,
      ratios: setsShape ? takenRatios(form.contract, form.values()) : [],
      onDone: (file) => onReplace(file.url),
    });
  if (setsShape && isOff)
    return (
      <Button size="sm" className={cx('bg-raised/90', className)} onClick={open}>
        Crop to {chosen}
        <span className="sr-only"> {name}</span>
      </Button>
    );
  return (
    <IconButton
      size="sm"
      outlined
      label={`Crop ${name}`}
      icon={<Crop aria-hidden="true" className="size-4" />}
      className={cx('bg-raised/90', className)}
      onClick={open}
    />
  );
}
