/** Decision: Share pages */
export const MAX_OPEN_SHARES = 500;
export const MAX_SHARE_DAYS = 365;
export const MAX_SHARE_TITLE_LENGTH = 120;
/** Paths of public pages: `/s/<token>`. */
export const SHARE_PATH = '/s/';
