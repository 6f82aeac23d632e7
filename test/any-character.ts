/** Any code point but halves of pairs, those of ASCII most often. The unit `binary` of fast-check takes a second to begin with. */
import fc from 'fast-check';

export const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point));
