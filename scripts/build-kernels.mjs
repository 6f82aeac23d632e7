// Compiles the kernels and writes the bytes of each into its module under src/.
// `--print NAME` writes the module of one kernel to standard output instead. Needs the package assemblyscript.
import { readFileSync, writeFileSync } from 'node:fs';

const KERNELS = {
  page: {
    target: 'src/sketch/page-kernel-bytes.ts',
    flags: '--sharedMemory --initialMemory 1 --maximumMemory 65536 --enable simd,threads',
  },
  text: { target: 'src/text/text-kernel-bytes.ts', flags: '--enable simd' },
  html: { target: 'src/page/html/html-kernel-bytes.ts', flags: '--enable simd' },
  neighbors: {
    target: 'src/join/exact/neighbors-kernel-bytes.ts',
    flags: '--sharedMemory --initialMemory 1 --maximumMemory 65536 --enable simd,threads',
  },
  search: { target: 'src/store/write/search/search-kernel-bytes.ts', flags: '' },
  overlap: { target: 'src/join/exact/overlap-kernel-bytes.ts', flags: '--enable simd' },
  vector: {
    target: 'src/join/vectors/vector-kernel-bytes.ts',
    flags: '--sharedMemory --initialMemory 1 --maximumMemory 65536 --enable simd,threads',
  },
};

const root = new URL('../', import.meta.url);
const { main } = await import('assemblyscript/asc');

async function compile(name) {
  const source = `kernels/${name}-kernel.ts`;
  const shared = '--outFile out.wasm -O3 --noAssert --converge --runtime stub --importMemory';
  let bytes;
  const { error, stderr } = await main([source, ...`${shared} ${KERNELS[name].flags}`.trim().split(' ')], {
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
  return `/** Compiled from ${source} by scripts/build-kernels.mjs: ${bytes.length} bytes of WebAssembly. */
export const ${name.toUpperCase()}_KERNEL_BASE64 =
  '${Buffer.from(bytes).toString('base64')}';
`;
}

const printed = process.argv.indexOf('--print');
if (printed > 0) process.stdout.write(await compile(process.argv[printed + 1]));
else {
  for (const [name, { target }] of Object.entries(KERNELS)) {
    writeFileSync(new URL(target, root), await compile(name));
  }
}
