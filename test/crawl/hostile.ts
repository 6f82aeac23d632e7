/** Ways in which a server can misbehave: what it writes to the socket once a request is there. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

type Behaviour = (socket: Socket, path: string) => void;

const OK = 'HTTP/1.1 200 OK\r\n';
const HTML = `${OK}Content-Type: text/html\r\n`;

/** A whole answer. */
export function page(body: string | Buffer, head = ''): string | Buffer {
  const start = `${HTML}${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return typeof body === 'string' ? start + body : Buffer.concat([Buffer.from(start), body]);
}

/** Writes for ever, or until the other side has enough. */
function forever(socket: Socket, chunk: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.writableLength < 2 ** 20 && socket.write(chunk), everyMs);
  socket.on('close', () => clearInterval(timer));
}

const redirect = (location: string) =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
const numberOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0);

/** For every path but robots.txt, of which there is none. */
export const HOSTILE: Readonly<Record<string, Behaviour>> = {
  'never-answers': () => {},
  'hangs-after-head': (socket) => socket.write(`${HTML}\r\n`),
  'hangs-in-body': (socket) => socket.write(`${HTML}Content-Length: 100000\r\n\r\n<p>begun`),
  'drips-body': (socket) => {
    socket.write(`${HTML}\r\n`);
    forever(socket, 'x', 20);
  },
  'drips-head': (socket) => {
    socket.write(OK);
    forever(socket, 'X', 20);
  },
  'endless-body': (socket) => {
    socket.write(`${HTML}\r\n`);
    forever(socket, Buffer.alloc(262_144, 'x '), 1);
  },
  'endless-headers': (socket) => {
    socket.write(OK);
    forever(socket, 'X-Header: value\r\n'.repeat(1000), 1);
  },
  'huge-header': (socket) => socket.write(`${OK}X: ${'x'.repeat(10_000_000)}\r\n\r\n`),
  'closes-at-once': (socket) => socket.destroy(),
  resets: (socket) => socket.resetAndDestroy(),
  'closes-in-head': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'),
  'closes-in-body': (socket) => socket.end(`${HTML}Content-Length: 5000\r\n\r\n<p>cut short`),
  'says-too-little': (socket) => socket.write(`${HTML}Content-Length: 4\r\n\r\n<p>more than it said`),
  'two-answers': (socket) => socket.write(`${page('<p>one')}${page('<p>two')}`),
  'two-lengths': (socket) => socket.write(`${HTML}Content-Length: 4\r\nContent-Length: 8\r\n\r\n<p>abcde`),
  'negative-length': (socket) => socket.write(`${HTML}Content-Length: -1\r\n\r\n<p>`),
  'broken-chunks': (socket) => socket.write(`${HTML}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n`),
  'endless-chunk-size': (socket) => {
    socket.write(`${HTML}Transfer-Encoding: chunked\r\n\r\n1;x=`);
    forever(socket, 'y'.repeat(1000), 1);
  },
  'gzip-bomb': (socket) => socket.write(page(BOMB, 'Content-Encoding: gzip\r\n')),
  'broken-gzip': (socket) => socket.write(page(BOMB.subarray(0, 500), 'Content-Encoding: gzip\r\n')),
  'unknown-coding': (socket) => socket.write(page('<p>x', 'Content-Encoding: x-secret\r\n')),
  'plain-as-gzip': (socket) => socket.write(page('<p>plain', 'Content-Encoding: gzip, br, deflate\r\n')),
  'binary-as-html': (socket) => socket.write(page(Buffer.alloc(100_000, Buffer.from([0, 1, 2, 255])))),
  'nonsense-charset': (socket) =>
    socket.write(`${OK}Content-Type: text/html; charset=klingon\r\nContent-Length: 5\r\n\r\n<p>\xff\xfe`),
  'broken-utf16': (socket) => socket.write(page(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x00, 0xd8, 0x41]))),
  'redirects-to-itself': (socket, path) => socket.write(redirect(path)),
  'redirects-on-and-on': (socket, path) => socket.write(redirect(`/r${numberOf(path) + 1}`)),
  'redirects-to-nonsense': (socket, path) => {
    const to = [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://',
      `/${'x'.repeat(9000)}`,
    ];
    if (path !== '/') socket.write(redirect(to[numberOf(path)] ?? ''));
    else socket.write(page(to.map((_, i) => `<a href="/${i}">x</a>`).join('')));
  },
  'new-links-for-ever': (socket, path) => {
    const first = numberOf(path) * 1000;
    socket.write(page(Array.from({ length: 1000 }, (_, i) => `<a href="/p${first + i}">x</a>`).join('')));
  },
  'deep-tree': (socket) => socket.write(page('<div>'.repeat(150_000))),
  'endless-attribute': (socket) => socket.write(page(`<a href="${'x'.repeat(900_000)}`)),
  'no-status-line': (socket) => socket.end('<html>as it was in 1991'),
  'odd-status': (socket) => socket.write('HTTP/1.1 999 Whatever\r\nContent-Length: 0\r\n\r\n'),
  'status-zero': (socket) => socket.write('HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n'),
  'continues-for-ever': (socket) => forever(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 1),
  'switches-protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxxx'),
  'control-characters': (socket) => socket.write(`${HTML}X-Bad: a\x00b\x07\r\nContent-Length: 3\r\n\r\n<p>`),
  'many-cookies': (socket) => socket.write(page('<p>x', 'Set-Cookie: a=b; Path=/\r\n'.repeat(1500))),
  'busy-for-ever': (socket) =>
    socket.write('HTTP/1.1 503 Busy\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n'),
  'no-content-type': (socket) => socket.write(`${OK}Content-Length: 9\r\n\r\n<p>naked</p>`.slice(0, -3)),
};

/** In place of robots.txt; all other paths are pages. */
export const HOSTILE_ROBOTS: Readonly<Record<string, Behaviour>> = {
  'robots-never-answers': () => {},
  'robots-endless': (socket) => {
    socket.write(`${OK}Content-Type: text/plain\r\n\r\nuser-agent: *\n`);
    // More than is read, at once.
    socket.write('disallow: /secret\n'.repeat(40_000));
    forever(socket, 'disallow: /secret\n'.repeat(1000), 1);
  },
  'robots-drips': (socket) => {
    socket.write(`${OK}\r\nuser-agent: *\n`);
    forever(socket, '#', 20);
  },
  'robots-busy': (socket) => socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'),
  'robots-redirects': (socket, path) => socket.write(redirect(`/robots.txt?${numberOf(path) + 1}`)),
  'robots-binary': (socket) => socket.write(page(Buffer.alloc(50_000, Buffer.from([0, 200, 255, 7])))),
  'robots-bomb': (socket) => socket.write(page(BOMB, 'Content-Encoding: gzip\r\n')),
  'robots-names-sitemaps': (socket) => {
    const lines = Array.from({ length: 200 }, (_, i) => `sitemap: /s${i}.xml\n`);
    socket.write(page(lines.join('')));
  },
};

/** 100 MB of zeros in 100 kB. */
const BOMB = gzipSync(Buffer.alloc(100_000_000));
