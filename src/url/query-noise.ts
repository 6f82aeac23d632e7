/**
 * Query parameters that do not choose the page: campaign tags and session ids.
 *
 * Listed by exact name, since a wrong removal merges two pages and a missed one only keeps them apart.
 * `sid` and its like also name ordinary things (section ids), so they go only with a value that
 * can hardly be anything but a random token.
 */

const TRACKING = new Set([
  ...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'srsltid', '_ga', '_gl', '_gac'], // Google
  ...['fbclid', 'igshid', 'igsh', 'msclkid', 'twclid', 'ttclid', 'li_fat_id', 'yclid', 'ysclid', '_openstat'],
  ...['mc_cid', 'mc_eid', 'mkt_tok', 'vero_id', 'vero_conv', 'oly_anon_id', 'oly_enc_id', 'wickedid'],
  ...['_hsenc', '_hsmi', '__hstc', '__hssc', '__hsfp', 'hsctatracking'], // HubSpot
  ...[
    'pk_campaign',
    'pk_kwd',
    'pk_source',
    'pk_medium',
    'mtm_campaign',
    'mtm_kwd',
    'mtm_source',
    'mtm_medium',
  ],
  ...['phpsessid', 'jsessionid', 'aspsessionid', 'cfid', 'cftoken', 'oscsid', 'zenid'],
]);

const MAYBE_SESSION = new Set(['sid', 's_id', 'sess', 'sessid', 'session', 'sessionid', 'session_id']);

/** One `name=value` piece of a query, percent-escapes already normalized. */
export function isNoiseParameter(piece: string): boolean {
  const equals = piece.indexOf('=');
  const name = (equals < 0 ? piece : piece.slice(0, equals)).toLowerCase();
  if (name.startsWith('utm_') || TRACKING.has(name)) return true;
  return MAYBE_SESSION.has(name) && equals >= 0 && isRandomToken(piece.slice(equals + 1));
}

/** At least 16 hexadecimal or 26 alphanumeric characters, with both a letter and a digit. */
function isRandomToken(value: string): boolean {
  return /^(?:[\da-f]{16,}|[\da-z]{26,})$/i.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}
