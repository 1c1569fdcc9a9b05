/** A request that opens a session and sends `Emulsion-Session: cookie` gets its secret in a cookie. */
export const SESSION_HEADER = 'Emulsion-Session';

/** Response header on HEAD and on the last PATCH of a resumable upload: id of the resulting upload. */
export const UPLOAD_ID_HEADER = 'upload-id';
