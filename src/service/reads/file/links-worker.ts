import { answerAside } from '../../snapshot/aside.ts';
import { readLinks } from './link-loading.ts';

// Its memory is shared: nothing is handed over.
await answerAside((reader) => readLinks(reader, Number.POSITIVE_INFINITY));
