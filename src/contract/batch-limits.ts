export const MIN_TOGETHER_ORDERS = 2;
export const MAX_TOGETHER_ORDERS = 16;
export const MAX_LIST_ORDERS = 1000;
export const MAX_BATCH_NAME_LENGTH = 120;
