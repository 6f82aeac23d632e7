// Where a thread of the package begins: it runs the file whose URL is its argument.
'use strict';
require('./modules.js');

import(process.argv[2]);
