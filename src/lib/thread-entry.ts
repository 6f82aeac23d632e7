/** Where a thread of the package begins: it runs the file whose URL is its argument, and finds what that imports by names alone. */
export const THREAD_ENTRY = new URL('../../bin/thread.js', import.meta.url);
