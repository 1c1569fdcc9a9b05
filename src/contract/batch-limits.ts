export const MIN_TOGETHER_ORDERS = 2;
export const MAX_TOGETHER_ORDERS = 16;
export const MAX_LIST_ORDERS = 1000;
/** Values of the JSON body of a request with orders, nested ones included. */
export const MAX_ORDER_VALUES = 40_000;
/** Of the same body: 1,000 orders with prompts of 2,000 characters fit in any script. */
export const MAX_ORDER_BYTES = 8_388_608;
export const MAX_BATCH_NAME_LENGTH = 120;
