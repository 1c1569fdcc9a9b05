import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '#web/api.ts';
import type { FormState } from '#web/forms/form-state.ts';
import { referencesOf } from '#web/forms/input-values.ts';
import { rememberMedia } from '#web/forms/media-info.ts';
import { mostItems } from '#web/forms/most-items.ts';
import { createUploadTray, type UploadTray } from '#web/forms/upload-tray.ts';
import { queryKeys } from '#web/queries/query-keys.ts';

/** Files on their way. They outlive a change of model: whatever form is open when one arrives gets it, where it fits. */
export function useTray({ contract, values, set }: FormState): UploadTray {
  const client = useQueryClient();
  const [tray] = useState(() => createUploadTray(api.upload));
  useEffect(
    () =>
      tray.deliverTo((name, upload) => {
        rememberMedia(upload);
        void client.invalidateQueries({ queryKey: queryKeys.uploads.all });
        const field = contract.fields.find((each) => each.name === name);
        if (!field || !('media' in field) || field.media !== upload.type) return;
        const items = [...referencesOf(values()[name]), { url: upload.url }];
        if (items.length > mostItems(contract, values(), field)) return;
        set(name, field.kind === 'reference' ? items[0] : items);
      }),
    [tray, client, contract, values, set],
  );
  return tray;
}

/** How many files are still on their way. */
export const useUnderWay = (tray: UploadTray) => useSyncExternalStore(tray.subscribe, tray.underWay);
