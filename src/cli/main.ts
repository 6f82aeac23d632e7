/** The process `akin`; `run.ts` has its command line. */
import { asProcess } from './process.ts';
import { run } from './run.ts';

await asProcess(run);
