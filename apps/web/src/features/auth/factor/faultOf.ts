import type { CodeWay } from '@rmeet/contract';

const SIX = /^\d{3}\s?\d{3}$/;

/** What is wrong with a typed code; undefined if nothing. */
export function faultOf(way: CodeWay, typed: string): 'codeMissing' | 'codeWrong' | undefined {
  if (typed.trim() === '') return 'codeMissing';
  return way === 'RECOVERY' || SIX.test(typed.trim()) ? undefined : 'codeWrong';
}
