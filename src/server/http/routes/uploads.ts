import { createUpload, type UploadDeps } from '#server/studio/uploads/create-upload.ts';
import { deleteUpload } from '#server/studio/uploads/delete-upload.ts';
import { findUpload, listUploads } from '#server/studio/uploads/list-uploads.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import type { Handlers } from '#server/http/handler.ts';

export const uploadRoutes = (deps: UploadDeps) =>
  ({
    create_upload: ({ caller, incoming, signal }) => createUpload(deps, caller, incoming, signal),

    list_uploads: ({ caller, query: { person_id, ...query } }) =>
      listUploads(deps, scopeWork(caller, person_id), query),

    async get_upload({ caller, params }) {
      const upload = await findUpload(deps, caller.organization_id, params.upload_id);
      if (!upload) throw uploadNotFoundError();
      return upload;
    },

    async delete_upload({ caller, params }) {
      const known = await deleteUpload(deps, caller, params.upload_id);
      if (!known) throw uploadNotFoundError();
      return undefined;
    },
  }) satisfies Handlers;

const uploadNotFoundError = () => new ApiError('not_found', 'Upload not found.');
