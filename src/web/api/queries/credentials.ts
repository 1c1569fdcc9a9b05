import { apiQuery } from '../api-query.ts';

/** Each request reads the whole file. An addition (see `isMissingFeature`). */
export const mediaCredentialsQuery = (id: string) =>
  apiQuery('get_media_credentials', { params: { media_id: id } }, { staleTime: 60_000 });

/** The certificate of new results; null where the service signs none. */
export const certificateQuery = apiQuery('get_signing_certificate', {}, { missing: null, staleTime: 60_000 });
