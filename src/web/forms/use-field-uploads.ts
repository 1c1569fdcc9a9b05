import { useEffect, useState, useSyncExternalStore } from 'react';
import type { InputForm } from './input-form.ts';
import { readReferences } from './form-values.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { maxReferenceCount } from './max-reference-count.ts';
import { createFieldUploads, type FieldUploads } from './field-uploads.ts';

/**
 * The uploads of a form. They outlive a change of model: the open form of that name receives a finished file if it fits.
 * @param name the name of the form
 */
export function useFieldUploads({ contract, values, setValue }: InputForm, name: string): FieldUploads {
  const [tray] = useState(() => createFieldUploads(name));
  useEffect(
    () =>
      tray.deliverTo((name, upload) => {
        cacheMediaInfo(upload);
        const field = contract.fields.find((each) => each.name === name);
        if (!field || !('media' in field) || field.media !== upload.type) return false;
        const items = [...readReferences(values()[name]), { url: upload.url }];
        if (items.length > maxReferenceCount(contract, values(), field)) return false;
        setValue(name, field.kind === 'reference' ? items[0] : items);
        return true;
      }),
    [tray, contract, values, setValue],
  );
  return tray;
}

/** How many uploads are not finished. */
export const usePendingUploadCount = (tray: FieldUploads) => useSyncExternalStore(tray.subscribe, tray.pendingCount);
