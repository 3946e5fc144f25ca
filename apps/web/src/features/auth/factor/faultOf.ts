import type { FactorWay } from '@rmeet/contract';

const SIX = /^\d{3}\s?\d{3}$/;

/** What is wrong with a typed code; undefined if nothing. */
export function faultOf(way: FactorWay, typed: string): 'codeMissing' | 'codeWrong' | undefined {
  if (typed.trim() === '') return 'codeMissing';
  return way === 'RECOVERY' || SIX.test(typed.trim()) ? undefined : 'codeWrong';
}
