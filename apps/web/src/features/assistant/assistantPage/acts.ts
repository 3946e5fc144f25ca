import type { AssistantProposal, Meeting } from '@rmeet/contract';
import { api } from '../../../lib/api/index.ts';

/** Meetings that a search shows. */
const FOUND = 5;

export type Outcome =
  | { kind: 'booked'; number: string }
  | { kind: 'found'; meetings: readonly Meeting[]; withLinks: boolean }
  | { kind: 'asked' };

async function find(keyword: string): Promise<readonly Meeting[]> {
  const from = new Date().toISOString();
  return (await api.meetings.list({ query: { keyword, from, size: FOUND } })).records;
}

/**
 * Carries out a proposal that the person has confirmed: by calls of the product with the person's own session, so that
 * rights, limits and the audit log are those of the person.
 */
export async function carryOut(proposal: AssistantProposal): Promise<Outcome> {
  switch (proposal.kind) {
    case 'book': {
      const { subject, startTime, duration } = proposal;
      // No password can be told here, so people wait to be let in.
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const meeting = await api.meetings.createNetwork({
        body: { subject, startTime, duration, timeZone, password: '', waitingRoom: true },
      });
      return { kind: 'booked', number: meeting.numericId };
    }
    case 'find':
      return { kind: 'found', meetings: await find(proposal.keyword), withLinks: false };
    case 'joinLink':
      return { kind: 'found', meetings: await find(proposal.keyword), withLinks: true };
    case 'askRights':
      await api.assistant.handOver({ body: { kind: 'rights', question: proposal.reason } });
      return { kind: 'asked' };
  }
}
