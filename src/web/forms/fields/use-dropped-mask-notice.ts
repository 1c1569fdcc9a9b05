import { useEffect } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { useTaskForm } from '../form-context.ts';
import { mediaUrl } from '../stale-values.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

/** Says that a mask is gone with its picture, and offers both again. The form drops it, see `staleValues`. */
export function useDroppedMaskNotice(field: FieldSpec): void {
  const { form } = useTaskForm();
  const { name } = field;
  const place = 'mask' in field ? field.mask?.of : undefined;
  useEffect(() => {
    if (place === undefined) return undefined;
    const [picture = ''] = place.split('.');
    let before = form.values();
    return form.subscribe(() => {
      const [previous, values] = [before, form.values()];
      before = values;
      const isReplaced = mediaUrl(previous, place) !== mediaUrl(values, place);
      if (!isReplaced || mediaUrl(previous, name) === undefined || mediaUrl(values, name) !== undefined) return;
      showToast({
        title: 'Mask removed',
        detail: 'It belonged to the picture before. The mask is still in your uploads.',
        action: {
          label: 'Undo',
          onPress: () => form.setValues({ [picture]: previous[picture], [name]: previous[name] }),
        },
      });
    });
  }, [form, name, place]);
}
