import type { NameOf } from '../model/names.ts';
import type { T } from '../texts.tsx';

type Described = { verb: string } & Record<string, unknown>;

const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

/** Whom a command concerns: everyone if it names no terminal. */
function target(given: Described, nameOf: NameOf, t: T): string {
  const { termId } = given;
  return typeof termId === 'string' && termId !== ''
    ? (nameOf(termId) ?? t('log.somebody'))
    : t('proceed.did.everybody');
}

/**
 * A short text of what a command about polling, the floor, roll calls, votes or scenes did; its verb if there is no
 * text.
 */
// oxlint-disable-next-line complexity -- A table of sentences, one case per verb.
export function describeProceeding(given: Described, nameOf: NameOf, t: T): string {
  const name = target(given, nameOf, t);
  switch (given.verb) {
    case 'polling':
      return given['settings'] === null || (given['settings'] === undefined && given['polling'] === null)
        ? t('proceed.did.pollingOff')
        : t('proceed.did.polling');
    case 'broadcastPolling':
      return given['on'] === false ? t('proceed.did.broadcastOff') : t('proceed.did.broadcast');
    case 'pollingTime':
      return t('proceed.did.pollingTime', { seconds: textOf(given['seconds']) });
    case 'pollingTurn':
      return typeof given['termId'] === 'string'
        ? t('proceed.did.pollingTurn', { name })
        : t('proceed.did.pollingStep');
    case 'giveFloor':
    case 'callUp':
      return t(`proceed.did.${given.verb}`, { name });
    case 'rollMark':
      return t(`proceed.did.marked.${(given['mark'] as 'present' | null) ?? 'none'}`, { name });
    case 'timer':
      return t('proceed.did.timer', { name, minutes: Math.round(Number(given['seconds']) / 6) / 10 });
    case 'scene':
      return t('proceed.did.scene', { name: textOf(given['name']) });
    case 'vote':
      return t('proceed.did.vote', { question: textOf(given['question']) });
    case 'lowerHands':
    case 'timerChange':
    case 'timerStop':
    case 'rollCall':
    case 'rollCallEnd':
    case 'voteClose':
    case 'voteDismiss':
      return t(`proceed.did.${given.verb}`);
    default:
      return given.verb;
  }
}
