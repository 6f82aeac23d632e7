/** `npm run openapi`: writes openapi.yaml, and the types of the library, from the route schemas of the service. */
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { openApiDocument } from '../src/service/app.ts';
import { generatedTypes } from './answer-types.ts';

const HEAD = '# Generated from the route schemas of src/service by: npm run openapi\n';
const document = JSON.parse(JSON.stringify(await openApiDocument()));
writeFileSync(
  new URL('../openapi.yaml', import.meta.url),
  HEAD + stringify(document, { aliasDuplicateObjects: false }),
);
writeFileSync(new URL('../src/library/generated.ts', import.meta.url), generatedTypes());
