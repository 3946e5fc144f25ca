import type { ApprovalRequest } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { hostWords, reasonWords, roomWords, seriesWords, timeWords } from './words.ts';

interface ApprovalCardProps {
  request: ApprovalRequest;
  isBusy: boolean;
  onOpen: () => void;
  onApprove: () => void;
  /** Opens the drawer to enter a reason for the refusal. */
  onRefuse: () => void;
}

/**
 * One meeting of the queue, or the meetings of a series that are decided together: subject, host, time, participants,
 * rooms, and the decision.
 */
export function ApprovalCard({ request, isBusy, onOpen, onApprove, onRefuse }: ApprovalCardProps) {
  const t = useTexts('approvals');
  const { meetId, subject, vip, state, series } = request;
  const facts = useFacts(request);
  return (
    <li className="approval" data-state={state} data-testid="approval-row">
      <div className="approval-what">
        <h2>
          <button
            type="button"
            className="row-link approval-open"
            id={`approval-${meetId}`}
            data-testid="approval-open"
            onClick={onOpen}
          >
            {subject}
          </button>
        </h2>
        {series !== null && (
          <span className="approval-badge" data-testid="approval-series">
            {t('series')}
          </span>
        )}
        {vip && <span className="approval-badge approval-badge-vip">{t('vip')}</span>}
        <span className="approval-badge" data-state={state} data-testid="approval-state">
          {t(`state.${state}`)}
        </span>
      </div>
      <dl className="approval-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {state === 'waiting' && (
        <div className="approval-buttons">
          <Button
            aria-label={t('refuseOf', { subject })}
            disabled={isBusy}
            data-testid="approval-refuse"
            onClick={onRefuse}
          >
            {t('refuse')}
          </Button>
          <Button
            kind="primary"
            aria-label={t('approveOf', { subject })}
            busy={isBusy}
            data-testid="approval-approve"
            onClick={onApprove}
          >
            {t('approve')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The facts shown about a request, with their labels. */
function useFacts(request: ApprovalRequest): readonly [string, string][] {
  const t = useTexts('approvals');
  const { people, rooms, note, decidedBy, series } = request;
  return [
    [t('fact.host'), hostWords(request)],
    [t(series === null ? 'fact.time' : 'fact.firstTime'), timeWords(request)],
    ...(series === null ? [] : [[t('fact.meetings'), seriesWords(request, t)] satisfies [string, string]]),
    [t('fact.people'), t('people', { count: people })],
    ...(rooms.length > 0 ? [[t('fact.rooms'), roomWords(request, t)] satisfies [string, string]] : []),
    [t('fact.reasons'), reasonWords(request, t)],
    ...(decidedBy === null
      ? []
      : [
          [t('fact.decision'), [decidedBy.name, note].filter((part) => part !== '').join(t('colon'))] satisfies [
            string,
            string,
          ],
        ]),
  ];
}
