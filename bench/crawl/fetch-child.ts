/** Fetches every page of page-server.ts with undici alone: one connection a host, all hosts side by side. */
import { Agent, request } from 'undici';
import { report } from './report.ts';

const [port, pageCount, hostCount] = process.argv.slice(2).map(Number) as [number, number, number];
const dispatcher = new Agent({ connections: 1, pipelining: 1 });
let bytes = 0;
let pages = 0;
const host = async (number: number) => {
  for (let page = 0; page < pageCount / hostCount; page++) {
    const { statusCode, body } = await request(`http://127.0.0.${number}:${port}/${page}`, { dispatcher });
    bytes += (await body.arrayBuffer()).byteLength;
    pages += statusCode === 200 ? 1 : 0;
  }
};
const done = report();
await Promise.all(Array.from({ length: hostCount }, (_, i) => host(i + 1)));
done({ pages, bytes });
await dispatcher.close();
