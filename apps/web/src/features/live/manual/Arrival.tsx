import type { ManualLive } from '@rmeet/contract';
import { StateBadge } from '../../../ui/broadcast/StateBadge.tsx';
import { arrivalOf, shortFacts } from './arrival.ts';
import { useT } from './texts.ts';

/** The state of a broadcast, by what really arrives. */
export function ArrivalState({ broadcast }: { broadcast: ManualLive }) {
  const t = useT();
  const arrival = arrivalOf(broadcast, t);
  const { state, ingest } = broadcast;
  const facts = arrival?.tone === 'arriving' && ingest !== null ? shortFacts(ingest, t) : [];
  return (
    <span className="manual-state">
      <StateBadge state={state} />
      {arrival !== null && (
        <span
          className="manual-arrival"
          data-tone={arrival.tone}
          title={arrival.reason === '' ? undefined : arrival.reason}
          data-testid="manual-arrival"
        >
          <span>{arrival.words}</span>
          {facts.length > 0 && <small>{facts.join(' · ')}</small>}
          {arrival.reason !== '' && <small className="manual-arrival-reason">{arrival.reason}</small>}
        </span>
      )}
    </span>
  );
}
