import { test } from 'node:test';
import { openDamaged } from './corrupt.ts';

test('five hundred damaged indexes are refused or answered, never a fault of akin', (t) =>
  openDamaged(t, 500, 1000, 3));
