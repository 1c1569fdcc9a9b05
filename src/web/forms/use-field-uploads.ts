import { useEffect, useState, useSyncExternalStore } from 'react';
import type { InputForm } from './values/input-form.ts';
import { readReferences } from './values/form-values.ts';
import { cacheMediaInfo } from '#web/api/reference-info.ts';
import { findField, isThere, readPath } from './values/field-path.ts';
import { tiedMediaUrl } from './stale-values.ts';
import { maxReferenceCount } from './models/max-reference-count.ts';
import { createFieldUploads, type FieldUploads } from './field-uploads.ts';

/** Adds completed uploads to their fields if they fit. */
export function useFieldUploads({ contract, values, setValue }: InputForm, form: string): FieldUploads {
  const [uploads] = useState(() => createFieldUploads(form));
  useEffect(
    () =>
      uploads.deliverTo((name, upload, pictureUrl) => {
        cacheMediaInfo(upload);
        const field = findField(contract, name);
        if (!field || !('media' in field) || field.media !== upload.type || !isThere(values(), name)) return false;
        if (pictureUrl !== undefined) {
          if (tiedMediaUrl(contract, values(), name) !== pictureUrl) return false;
          setValue(name, { url: upload.url });
          return true;
        }
        const items = [...readReferences(readPath(values(), name)), { url: upload.url }];
        if (items.length > maxReferenceCount(contract, values(), field)) return false;
        setValue(name, field.kind === 'reference' ? items[0] : items);
        return true;
      }),
    [uploads, contract, values, setValue],
  );
  return uploads;
}

export const usePendingUploadCount = (uploads: FieldUploads) =>
  useSyncExternalStore(uploads.subscribe, uploads.pendingCount);
