import { answerFromFile } from '../../threads/file-order.ts';
import { readLinks } from './link-loading.ts';

// Its memory is shared: nothing is handed over.
answerFromFile((reader) => readLinks(reader, Number.POSITIVE_INFINITY));
