// Compiles kernels/page-kernel.ts and writes the bytes into src/sketch/page-kernel-bytes.ts.
// `--print` writes the module to standard output instead. Needs the package assemblyscript.
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const name = 'kernels/page-kernel.ts';
const { main } = await import('assemblyscript/asc');

const flags = '--outFile out.wasm -O3 --noAssert --converge --runtime stub --importMemory --sharedMemory';
const more = '--initialMemory 1 --maximumMemory 65536 --enable simd,threads';
let bytes;
const { error, stderr } = await main([name, ...flags.split(' '), ...more.split(' ')], {
  readFile: (file) => {
    try {
      return readFileSync(new URL(file, root), 'utf8');
    } catch {
      return null;
    }
  },
  writeFile: (file, contents) => {
    if (file.endsWith('.wasm')) bytes = contents;
  },
  listFiles: () => [],
});
if (error) {
  console.error(stderr.toString());
  process.exit(1);
}
const module = `/** Compiled from kernels/page-kernel.ts by scripts/build-kernels.mjs: ${bytes.length} bytes of WebAssembly. */
export const PAGE_KERNEL_BASE64 =
  '${Buffer.from(bytes).toString('base64')}';
`;
if (process.argv.includes('--print')) process.stdout.write(module);
else writeFileSync(new URL('src/sketch/page-kernel-bytes.ts', root), module);
