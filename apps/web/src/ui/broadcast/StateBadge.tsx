import type { BroadcastState } from '@rmeet/contract';
import { useT } from './texts.ts';
import './state.css';

/** Whether a broadcast is on air. */
export function StateBadge({ state }: { state: BroadcastState }) {
  const t = useT();
  return (
    <span className="broadcast-state" data-state={state} data-testid="broadcast-state">
      {t(`state.${state}`)}
    </span>
  );
}
