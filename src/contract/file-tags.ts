/** Names the value of `metadata` with the tags that the files of an order get. Decision: Labels */
export const FILE_TAGS = 'tags';
/** As many as fit into the value. */
export const MAX_ORDER_FILE_TAGS = 10;

/** The tags of a text, which commas separate. */
export const splitFileTags = (text: string | undefined): string[] =>
  [...new Set((text ?? '').split(',').map((tag) => tag.trim()))]
    .filter((tag) => tag !== '')
    .slice(0, MAX_ORDER_FILE_TAGS);
