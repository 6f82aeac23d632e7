import { runFiles } from '../run-files.ts';

runFiles('test/{lib,url,text,page,features,sketch,join,cluster,evaluate,relations}/**/*.test.ts');
