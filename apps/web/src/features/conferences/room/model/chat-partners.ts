import { allowancesOf, leads, type ConferenceControl } from '@rmeet/conference';

export interface ChatPartners {
  /** Whether the user may write to all. */
  all: boolean;
  /** Whom the user may write to in private, by name. */
  people: readonly { termId: string; name: string }[];
}

/** To whom the user may write now. */
export function chatPartners(control: ConferenceControl, me: string): ChatPartners {
  const { chatFor } = allowancesOf(control);
  const isFree = chatFor === 'all' || leads(control, me);
  const isOpenTo = (termId: string): boolean => isFree || (chatFor === 'hosts' && leads(control, termId));
  const people = Object.entries(control.terminals)
    .filter(([termId, { present }]) => present && termId !== me && isOpenTo(termId))
    .map(([termId, { name }]) => ({ termId, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return { all: isFree, people };
}

/** The first line of a text, as a quote shows it. */
export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
