/**
 * Before a line on a terminal: removes the progress bar that may be there. The bar is drawn again within half a second,
 * so that the threads and processes that write there need not know of each other.
 */
export const CLEAR_LINE = '\r\x1b[2K';
