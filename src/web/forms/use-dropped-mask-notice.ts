import { useEffect } from 'react';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { droppedMasks } from './stale-values.ts';
import type { InputForm } from './values/input-form.ts';

/** Says that a mask is gone with its picture, and offers both again. The form drops it, see `staleValues`. */
export function useDroppedMaskNotice(form: InputForm): void {
  useEffect(() => {
    let before = form.values();
    return form.subscribe(() => {
      const dropped = droppedMasks(form.contract, before, form.values());
      before = form.values();
      if (!dropped) return;
      const { count, undo } = dropped;
      showToast({
        title: count === 1 ? 'Mask removed' : `${count} masks removed`,
        detail:
          count === 1
            ? 'It belonged to the picture before. The mask is still in your uploads.'
            : 'They belonged to the picture before. The masks are still in your uploads.',
        action: { label: 'Undo', onPress: () => form.setValues(undo(form.values())) },
      });
    });
  }, [form]);
}
