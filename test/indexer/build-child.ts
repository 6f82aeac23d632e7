import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';

const options = JSON.parse(process.argv[2]!) as BuildOptions;
try {
  const { generation } = await buildIndex(options, {
    stageStarted: ({ name, resumed }) => console.log(`${resumed ? 'resumed' : 'started'} ${name}`),
    stageProgress() {},
    stageEnded() {},
    fault: ({ reason, where, detail }) => console.log(`fault ${reason} ${where} ${detail}`),
  });
  console.log(`generation ${generation}`);
} catch (error) {
  console.log(`error ${(error as { code?: string }).code} ${(error as Error).message}`);
}
