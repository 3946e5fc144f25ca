import type { ConferenceBroadcast } from '@rmeet/conference';
import { useT } from './texts.ts';
import './state.css';

/** That viewers outside see the conference, for everybody in it. */
export function BroadcastMark({ broadcast }: { broadcast: ConferenceBroadcast | null | undefined }) {
  const t = useT();
  if (!broadcast) return null;
  const { status } = broadcast;
  return (
    <span
      className="broadcast-state broadcast-mark"
      data-state={status}
      role="status"
      title={t(status === 'onAir' ? 'mark.hint' : 'mark.pausedHint')}
      data-testid="broadcast-mark"
    >
      {t(`mark.${status}`)}
    </span>
  );
}
