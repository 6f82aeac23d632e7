/** The server of uci-web.ts in a process of its own: sends its port, and on request what was asked for. */
import { type Hits, serveWeb, uciWeb } from './uci-web.ts';

const hits: Hits = new Map();
const { port } = await serveWeb(await uciWeb(), hits);
process.on('message', () => process.send!([...hits]));
process.send!(port);
