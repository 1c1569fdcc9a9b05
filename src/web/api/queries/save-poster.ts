import { CORE_ENDPOINT_ROUTES } from '#contract/core-endpoint-routes.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { api } from '../api.ts';
import { NetworkError, parseApiError, parseJson } from '../api-errors.ts';

/**
 * Uploads a picture that this service shows but does not store, so that a task can use it.
 * @throws {ApiError} @throws {NetworkError}
 */
export const savePoster = (src: string): Promise<Upload> =>
  api.withCredential(async (base_url, headers) => {
    const request = async (url: string, init?: RequestInit) => {
      try {
        const response = await fetch(url, init);
        return { response, body: await response.blob() };
      } catch (error) {
        throw new NetworkError(error);
      }
    };
    const { response: shown, body: picture } = await request(src);
    if (!shown.ok) throw new NetworkError();
    const body = new FormData();
    body.append('file', new File([picture], src.split('/').at(-1) ?? 'poster.webp', { type: picture.type }));
    const sent = await request(base_url + CORE_ENDPOINT_ROUTES.create_upload.path, { method: 'POST', body, headers });
    const text = await sent.body.text();
    if (!sent.response.ok) throw parseApiError(sent.response.status, text, (name) => sent.response.headers.get(name));
    return parseJson(text) as Upload;
  });
