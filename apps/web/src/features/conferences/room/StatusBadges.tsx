import { Suspense } from 'react';
import { isOnAir, type Call } from '../../../call/index.ts';
import { BroadcastMark } from '../../../ui/broadcast/BroadcastMark.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { RoomRecordingMark } from './control/Recording.tsx';
import { DataModeBadge } from './DataModeBadge.tsx';
import { EncryptionBadge } from './encryption/EncryptionBadge.tsx';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';

/** Persistent states: recorded, on air, meeting locked. Messages announces their changes. */
export function StatusBadges({ call }: { call: Call }) {
  const t = useT();
  const onAir = useStorePart(call.store, ({ control }) => isOnAir(control, call.termId));
  const broadcast = useStorePart(call.store, ({ control }) => control.broadcast);
  const locked = useStorePart(call.store, ({ control }) => control.locked);
  return (
    <div className="standing">
      <Suspense fallback={null}>
        <BroadcastMark broadcast={broadcast} />
        <RoomRecordingMark call={call} />
      </Suspense>
      <EncryptionBadge call={call} />
      <DataModeBadge call={call} />
      {onAir && (
        <span className="standing-on-air" data-testid="on-air">
          <span className="on-air-dot" aria-hidden="true" />
          <span>
            {t('held.onAir')}
            <span className="on-air-what">{t('held.onAirWhat')}</span>
          </span>
        </span>
      )}
      {locked && (
        <span className="standing-locked" data-testid="locked">
          <Icon name="lock" size={15} />
          {t('held.locked')}
        </span>
      )}
    </div>
  );
}
