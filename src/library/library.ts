/** The library: what `import ... from 'akin-web'` gives. Nothing is printed, and nothing is changed but the files that are named. */
import './needed-node.ts';

export {
  AkinError,
  ConfigError,
  CorruptError,
  type ErrorCode,
  InputError,
  NotIndexedError,
  TransientError,
} from '../errors.ts';
export {
  type BuildEvents,
  buildIndex,
  type FolderInput,
  type IndexInput,
  type IndexOrder,
  type IndexReport,
  type PageRecord,
} from './build.ts';
export type * from './generated.ts';
export { type OpenedIndex, type OpenOptions, openIndex } from './index-questions.ts';
export type { Questions } from './questions.ts';
export { type RelatedDocument, type RelatedItem, type RelateOptions, relate } from './relate.ts';
export { type InjectOptions, type InjectReport, injectFolder } from './site/inject.ts';
