import { mutationOptions } from '@tanstack/react-query';
import type { ReferenceCheck } from '#contract/resources/reference.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';

/**
 * Checks the file behind a link. Null where the service could not check it (busy, down, or without this feature), which
 * says nothing about the link.
 * @throws {ApiError} 400 or 422 with the reason where the link can't be used
 */
export const checkReference = mutationOptions({
  mutationFn: async (url: string): Promise<ReferenceCheck | null> => {
    try {
      return await api.call('check_reference', { body: { url } });
    } catch (error) {
      if (error instanceof ApiError && (error.status === 400 || error.status === 422)) throw error;
      return null;
    }
  },
  networkMode: 'always',
});
