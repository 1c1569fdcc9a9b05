/** Days for which deleted files can be restored. Decision: Trash */
export const TRASH_DAYS = 30;
