import type { AssistantProposal } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../../lib/api/index.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { invitationLink } from '../../../lib/invitationLink.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { carryOut, type Outcome } from './acts.ts';

interface ProposalsProps {
  proposals: readonly AssistantProposal[];
  onTried: (what: string) => void;
}

/** What a language model proposes to do. Nothing is done before the person confirms it, one by one. */
export function Proposals({ proposals, onTried }: ProposalsProps) {
  const t = useTexts('assistantPage');
  return (
    <div className="assistant-proposals">
      <p>{t('proposal.hint')}</p>
      {proposals.map((proposal) => (
        <Proposal key={JSON.stringify(proposal)} proposal={proposal} onTried={onTried} />
      ))}
    </div>
  );
}

function useWords(): (proposal: AssistantProposal) => string {
  const t = useTexts('assistantPage');
  return (proposal) => {
    switch (proposal.kind) {
      case 'book': {
        const { subject, startTime, duration } = proposal;
        return t('proposal.book', { subject, time: formatTime(startTime), minutes: duration });
      }
      case 'find':
        return t('proposal.find', { keyword: proposal.keyword });
      case 'joinLink':
        return t('proposal.joinLink', { keyword: proposal.keyword });
      case 'askRights':
        return t('proposal.askRights', { reason: proposal.reason });
    }
  };
}

function Proposal({ proposal, onTried }: { proposal: AssistantProposal; onTried: (what: string) => void }) {
  const t = useTexts('assistantPage');
  const words = useWords()(proposal);
  const [isDismissed, setDismissed] = useState(false);
  const act = useMutation({
    mutationFn: () => carryOut(proposal),
    onError: () => onTried(words),
    meta: { quiet: true },
  });
  const isOpen = !isDismissed && act.data === undefined;
  return (
    <div className="assistant-proposal" data-testid="assistant-proposal">
      <p>{words}</p>
      {isOpen && (
        <div className="assistant-buttons">
          <Button kind="primary" busy={act.isPending} data-testid="proposal-confirm" onClick={() => act.mutate()}>
            {t('proposal.confirm')}
          </Button>
          <Button disabled={act.isPending} data-testid="proposal-dismiss" onClick={() => setDismissed(true)}>
            {t('proposal.dismiss')}
          </Button>
        </div>
      )}
      <div role="status" data-testid="proposal-outcome">
        {isDismissed && t('proposal.dismissed')}
        {act.isPending && t('proposal.running')}
        {act.isError && <p className="assistant-fault">{sentenceOf(act.error) ?? t('proposal.failed')}</p>}
        {act.data && <OutcomeView outcome={act.data} />}
      </div>
    </div>
  );
}

function OutcomeView({ outcome }: { outcome: Outcome }) {
  const t = useTexts('assistantPage');
  if (outcome.kind === 'booked') return t('proposal.booked', { number: outcome.number });
  if (outcome.kind === 'asked') return t('proposal.asked');
  if (outcome.meetings.length === 0) return t('proposal.none');
  return (
    <ul className="assistant-found">
      {outcome.meetings.map((meeting) => (
        <li key={meeting.meetId}>
          <span>
            {meeting.subject} {formatTime(meeting.startTime)}
          </span>
          {outcome.withLinks && (
            <Button data-testid="proposal-copy" onClick={() => void copyText(invitationLink(meeting))}>
              {t('proposal.copy')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
