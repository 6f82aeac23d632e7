/** The lag of the event loop for documents as large as they may be, in all forms. */
import { testLag } from './event-loop-lag.ts';
import { fixtureIndex } from './fixture-app.ts';

testLag(await fixtureIndex(), 4_000_000);
