const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base 32 without padding. Source  RFC 4648, section 6. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + DIGITS[held << (5 - bits)];
}
