/** Web URLs by chance. Those of fast-check take a second to begin with. */
import fc from 'fast-check';

const letters = (text: string, least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...text), minLength: least, maxLength: most });
const label = letters('abcxyz0189', 1, 8);
const piece = fc.oneof(
  letters("abcXYZ019-._~!$&'()*+,;=:@", 0, 10),
  fc.constantFrom('%41', '%e4', '%2F', '%00'),
);

export const webUrls = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    labels: fc.array(fc.oneof(label, fc.constantFrom('a-b', 'xn--bcher-kva', 'www')), {
      minLength: 1,
      maxLength: 3,
    }),
    end: fc.constantFrom('example', 'org', 'co.uk', 'museum'),
    port: fc.option(fc.nat(65_535), { freq: 4 }),
    path: fc.array(fc.array(piece, { maxLength: 3 }), { maxLength: 4 }),
    query: fc.option(fc.array(piece, { maxLength: 3 })),
    fragment: fc.option(piece),
  })
  .map(({ scheme, labels, end, port, path, query, fragment }) => {
    const host = [...labels, end].join('.');
    const folders = path.map((pieces) => `/${pieces.join('')}`).join('');
    return `${scheme}://${host}${port === null ? '' : `:${port}`}${folders}${query === null ? '' : `?${query.join('')}`}${fragment === null ? '' : `#${fragment}`}`;
  });
