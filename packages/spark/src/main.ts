/** The process `akin-stage`. */
import { asProcess } from 'akin-web/rooms/cli/process';
import { run } from './command.ts';

await asProcess(run);
