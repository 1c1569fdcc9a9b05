import { useEffect, useState, useSyncExternalStore } from 'react';
import type { FormState } from '#web/forms/form-state.ts';
import { referencesOf } from '#web/forms/input-values.ts';
import { rememberMedia } from '#web/forms/media-info.ts';
import { mostItems } from '#web/forms/most-items.ts';
import { createUploadTray, type UploadTray } from '#web/forms/upload-tray.ts';

/**
 * Files on their way. They outlive a change of model: whatever form of that name is open when one arrives gets it, where it fits.
 * @param name of the kind of form
 */
export function useTray({ contract, values, set }: FormState, name: string): UploadTray {
  const [tray] = useState(() => createUploadTray(name));
  useEffect(
    () =>
      tray.deliverTo((name, upload) => {
        rememberMedia(upload);
        const field = contract.fields.find((each) => each.name === name);
        if (!field || !('media' in field) || field.media !== upload.type) return false;
        const items = [...referencesOf(values()[name]), { url: upload.url }];
        if (items.length > mostItems(contract, values(), field)) return false;
        set(name, field.kind === 'reference' ? items[0] : items);
        return true;
      }),
    [tray, contract, values, set],
  );
  return tray;
}

/** How many files are still on their way. */
export const useUnderWay = (tray: UploadTray) => useSyncExternalStore(tray.subscribe, tray.underWay);
