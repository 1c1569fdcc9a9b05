import { apiQuery } from '../api-query.ts';

/** Each request reads the whole file. */
export const mediaCredentialsQuery = (id: string) =>
  apiQuery('get_media_credentials', { params: { media_id: id } }, { staleTime: 60_000 });

/** The certificate of new results. */
export const certificateQuery = apiQuery('get_signing_certificate', {}, { staleTime: 60_000 });
