import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { cacheMediaInfo, type ReferenceInfo, serviceMediaId, useReferenceInfo } from '../reference-info.ts';
import { useSession } from '../session/session.ts';
import { mediaQuery } from './media.ts';

/** Name and measures of a reference. Loads them where this tab has not seen the service's medium yet. */
export function useReferenceDetails(url: string): ReferenceInfo | undefined {
  const info = useReferenceInfo(url);
  const signed_in = useSession() === 'signed_in';
  const id = info ? null : serviceMediaId(url);
  const { data } = useQuery({ ...mediaQuery(id ?? ''), enabled: signed_in && id !== null });
  useEffect(() => {
    // The reference keeps its own link, whose signature can differ.
    if (data && id !== null) cacheMediaInfo({ ...data, url });
  }, [data, id, url]);
  return info;
}
