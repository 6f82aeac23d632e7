// Crawls page-server.ts from one page with Crawlee's CheerioCrawler; bodies are appended to a file. Copied beside the
// installed package and run there.
import { createWriteStream, readFileSync } from 'node:fs';
import { CheerioCrawler, Configuration } from 'crawlee';

const [port, , hostCount, folder] = process.argv.slice(2);
const totals = { pages: 0, bytes: 0 };
const out = createWriteStream(`${folder}/bodies`);
const crawler = new CheerioCrawler(
  {
    minConcurrency: Number(hostCount),
    maxConcurrency: Number(hostCount),
    respectRobotsTxtFile: true,
    async requestHandler({ body, response, enqueueLinks }) {
      totals.pages += response.statusCode === 200 ? 1 : 0;
      totals.bytes += Buffer.byteLength(body);
      out.write(body);
      await enqueueLinks({ strategy: 'all', regexps: [/^http:\/\/127\./] });
    },
  },
  new Configuration({
    logLevel: 'OFF',
    storageClientOptions: { localDataDirectory: `${folder}/storage` },
    purgeOnStart: true,
  }),
);
const startedMs = performance.now();
const before = process.cpuUsage();
await crawler.run([`http://127.0.0.1:${port}/0`]);
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify({
    ...totals,
    wallSeconds: (performance.now() - startedMs) / 1000,
    processorSeconds: (user + system) / 1e6,
    peakMiB: Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024,
  })}\n`,
);
