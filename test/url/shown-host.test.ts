/** Which hosts are shown in letters. Their ASCII form is that of the URL parser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownHost } from '../../src/url/shown-host.ts';

const asciiOf = (host: string) => new URL(`http://${host}/`).host;

test('hosts of one script are shown as they are written', () => {
  for (const host of [
    'müller.example',
    'www.straße-7.example',
    'łódź.example:8080',
    'пример.example',
    'москва.рф',
    // Below a top level in letters.
    'оса.рф',
    'παράδειγμα.gr',
    '例え.テスト',
    'ラーメン.example',
    '中文网.中国',
    '한국어.kr',
    'उदाहरण.भारत',
    'ไทย.example',
  ]) {
    assert.notEqual(asciiOf(host), host);
    assert.equal(shownHost(asciiOf(host)), host);
  }
  for (const host of ['example.org', 'a.example:80', '[::1]:3000', '127.0.0.1', ''])
    assert.equal(shownHost(host), host);
});

test('what may pass for another host stays as the URL has it', () => {
  for (const host of [
    // Cyrillic letters among Latin ones, and letters that are all alike.
    'pаypal.com',
    'аррӏе.com',
    'сосо.com',
    'αικο.com',
    'googlе.example',
    // Latin letters beyond those of usual alphabets, a dotless i, a fraction.
    'ɡoogle.com',
    'wıki.example',
    // Kana and Han among Latin letters, right to left, emoji.
    'paypalノ.com',
    'a一b.com',
    'אתר.example',
    'موقع.example',
    '💩.example',
    // No letters at all, as the decoder finds.
    'xn--a.example',
    'xn--.example',
  ]) {
    const ascii = host.startsWith('xn--') ? host : asciiOf(host);
    assert.match(ascii, /xn--/);
    assert.equal(shownHost(ascii), ascii, host);
  }
  // Each label by itself; and none but at the start of a label.
  assert.equal(shownHost(`${asciiOf('müller.pаypal.com')}`), `müller.${asciiOf('pаypal.com')}`);
  assert.equal(shownHost('axn--mller-kva.example'), 'axn--mller-kva.example');
});
