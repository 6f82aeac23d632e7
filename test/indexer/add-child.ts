import { addSweep } from '../../src/indexer/add-index.ts';
import type { AddOptions } from '../../src/indexer/add-options.ts';

const options = JSON.parse(process.argv[2]!) as AddOptions;
try {
  const { generation } = await addSweep(options, {
    stageStarted: ({ name, resumed }) => console.log(`${resumed ? 'resumed' : 'started'} ${name}`),
    stageProgress() {},
    stageEnded() {},
    fault() {},
  });
  console.log(`generation ${generation}`);
} catch (error) {
  console.log(`error ${(error as { code?: string }).code} ${(error as Error).message}`);
}
