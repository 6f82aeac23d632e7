import { test } from 'node:test';
import { openDamaged } from './corrupt.ts';

test('five damaged indexes are refused or answered, never a fault of akin', (t) => openDamaged(t, 5, 1, 1));
