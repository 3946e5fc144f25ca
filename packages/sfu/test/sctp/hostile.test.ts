import { expect, test } from 'vitest';
import { Mutants } from './mutants.ts';

test.each([1, 2])('20,000 damaged packets throw nothing and deliver nothing of a wrong kind (seed %i)', (seed) => {
  const mutants = new Mutants(seed);
  for (let count = 0; count < 20_000; count++) {
    mutants.step();
  }
  expect(mutants.messages).toBeGreaterThan(100);
  expect(mutants.ended).toBeGreaterThan(0);
});
