/**
 * AssemblyScript: the inner loops of the rows of a search.
 *
 *   takeNumbers   spans of a text -> the numbers of its words
 *   countWords    the words of a page -> how often, and on how many pages, each is anywhere
 *   startEntries  these counts -> where the entries of each word go
 *   placePage     the words of a page -> an entry of each
 *   packEntries   the entries of a word -> its posting
 *   packPage      one entry whose places are packed already
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported; nothing is allocated here.
 */
// @ts-nocheck: compiled by asc, not by tsc.

export { beginPart, endPart, packEntries, packPage, takePlaces } from './search/posting';
export { countWords, numbersEnd, placePage, startEntries, takeNumbers } from './search/word-log';
