import { memo } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import { stateOf, type ShownState } from './model/terminal-state.ts';
import type { TerminalRow } from './model/rows.ts';
import { useT } from './texts.tsx';

/** One terminal, readable from across a room: colour and word show its state. */
export const StatusTile = memo(function StatusTile({
  row,
  width,
  height,
}: {
  row: TerminalRow;
  width: number;
  height: number;
}) {
  const t = useT();
  const { name, department, onAir, quality, loss, roundTrip, handRaisedAt } = row;
  const state = stateOf(row);
  const tone = toneOf(row, state);
  const scale = Math.min(width / 300, height / 170);
  return (
    <li
      className={`status-tile status-${tone} ${onAir ? 'status-air' : ''}`}
      style={{ width, height, fontSize: `${Math.max(12, Math.round(16 * scale))}px` }}
      data-testid={`status-term-${row.termId}`}
      data-state={state}
    >
      <p className="status-line">
        <strong className={`status-word status-word-${state}`}>{t(`state.${state}`)}</strong>
        {onAir && <strong className="status-live">{t('list.onAir')}</strong>}
        {handRaisedAt !== null && (
          <span className="status-hand" title={t('list.handUp')}>
            <Icon name="hand" size={22} />
            <span className="visually-hidden">{t('list.handUp')}</span>
          </span>
        )}
      </p>
      <p className="status-name" title={name}>
        {name}
      </p>
      {department !== '' && <p className="status-department">{department}</p>}
      <p className="status-line status-bottom">
        <MediaMarks row={row} />
        <span className="status-quality">{t(`quality.${quality}`)}</span>
        {loss !== null && (
          <span className={loss >= 3 ? 'status-loss status-loss-high' : 'status-loss'}>{t('list.loss', { loss })}</span>
        )}
        {roundTrip !== null && (
          <span className="status-trip">{t('list.latency', { latency: Math.round(roundTrip) })}</span>
        )}
      </p>
    </li>
  );
});

function toneOf({ quality, cause }: TerminalRow, state: ShownState): 'good' | 'warning' | 'bad' {
  if (quality === 'lost' || state === 'failed') return 'bad';
  return quality === 'poor' || cause !== null || state === 'late' ? 'warning' : 'good';
}

function MediaMarks({ row: { muted, microphone, cameraOff, camera } }: { row: TerminalRow }) {
  const t = useT();
  const silent = muted || microphone === false;
  const dark = cameraOff || camera === false;
  return (
    <>
      <Mark
        icon={silent ? 'micOff' : 'mic'}
        text={t(`microphone.${muted ? 'held' : silent ? 'off' : 'on'}`)}
        off={silent}
      />
      <Mark
        icon={dark ? 'cameraOff' : 'camera'}
        text={t(`camera.${cameraOff ? 'held' : dark ? 'off' : 'on'}`)}
        off={dark}
      />
    </>
  );
}

function Mark({ icon, text, off }: { icon: 'mic' | 'micOff' | 'camera' | 'cameraOff'; text: string; off: boolean }) {
  return (
    <span className={off ? 'status-mark status-mark-off' : 'status-mark'} title={text}>
      <Icon name={icon} size={24} />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
