/** `npm run openapi`: writes openapi.yaml from the route schemas of the service. */
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { openApiDocument } from '../src/service/app.ts';

const HEAD = '# Generated from the route schemas of src/service by: npm run openapi\n';
const document = JSON.parse(JSON.stringify(await openApiDocument()));
writeFileSync(
  new URL('../openapi.yaml', import.meta.url),
  HEAD + stringify(document, { aliasDuplicateObjects: false }),
);
