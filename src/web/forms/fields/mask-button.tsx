import { useState } from 'react';
import { Brush } from 'lucide-react';
import type { ReferenceFieldSpec } from '#contract/task.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { isUploadPending } from '../field-uploads.ts';
import { useFieldUploadItems, useFormValue, useTaskForm } from '../form-context.ts';
import { tiedMediaUrl } from '../stale-values.ts';

const MaskEditor = lazyComponent(async () => (await import('#web/media/mask-editor/mask-editor.tsx')).MaskEditor);

interface MaskButtonProps {
  field: ReferenceFieldSpec;
  /** URL of the mask in the field. */
  mask?: string;
}

/** Opens the editor over the picture that the mask belongs to. */
export function MaskButton({ field, mask }: MaskButtonProps) {
  const { form, uploads, signedIn } = useTaskForm();
  const pictureUrl = useFormValue((values) => tiedMediaUrl(form.contract, values, field.name));
  const isUploading = useFieldUploadItems(field.name).some(isUploadPending);
  const [isOpen, setIsOpen] = useState(false);
  const reason = disabledReason(pictureUrl, isUploading);
  if (!signedIn) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<Brush aria-hidden="true" className="size-4" />}
        aria-disabled={reason !== null}
        aria-description={reason ?? undefined}
        data-tooltip={reason ?? undefined}
        onFocus={MaskEditor.preload}
        onPointerEnter={MaskEditor.preload}
        onClick={() => setIsOpen(true)}
      >
        {mask === undefined ? 'Paint mask' : 'Edit mask'}
      </Button>
      {isOpen && pictureUrl !== undefined ? (
        <MaskEditor
          url={pictureUrl}
          mask={mask ?? null}
          onSave={(png) => uploads.addMask(field.name, png, pictureUrl)}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}

function disabledReason(pictureUrl: string | undefined, isUploading: boolean): string | null {
  if (isUploading) return 'The mask is being uploaded.';
  if (pictureUrl === undefined) return 'Add the picture first.';
  return serviceMediaSrc(pictureUrl) === null
    ? 'Pictures from a URL can’t be painted on. Upload the picture instead.'
    : null;
}
