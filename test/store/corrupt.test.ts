import { test } from 'node:test';
import { openDamaged } from './corrupt.ts';

test('twelve damaged indexes are refused or answered, never a fault of akin', (t) =>
  openDamaged(t, 12, 1, 1));
