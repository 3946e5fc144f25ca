import { expect, test } from 'vitest';
import { dateutilPython, differences, randomCases } from './support/recurrence-rules.ts';

test.skipIf(dateutilPython === null)(
  'ten thousand rules give the same meetings as dateutil',
  { timeout: 600_000 },
  () => {
    for (let part = 0; part < 10; part += 1)
      expect(differences(dateutilPython ?? '', randomCases(1_000, part))).toEqual([]);
  },
);
