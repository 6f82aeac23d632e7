import { test } from 'node:test';
import { openDamaged } from './corrupt.ts';

test('two damaged indexes are refused or answered, never a fault of akin', (t) => openDamaged(t, 2, 1, 1));
