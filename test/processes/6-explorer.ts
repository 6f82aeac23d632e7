import { runFiles } from '../run-files.ts';

runFiles('test/{explorer,browser}/*.test.ts');
