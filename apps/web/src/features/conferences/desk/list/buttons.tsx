import { useDesk, type Rights } from '../context.ts';
import { Icon } from '../../../../ui/icons.tsx';
import type { TerminalRow } from '../model/rows.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';

interface RowButtonProps {
  row: TerminalRow;
  rights: Rights;
  tabbable: boolean;
}

/** Shows whether the terminal can be heard; a press holds or releases its microphone. */
export function MicrophoneButton({ row, rights, tabbable }: RowButtonProps) {
  const t = useT();
  const desk = useDesk();
  const { name, muted, microphone, unmuteAsked, speaking, termId } = row;
  const look = muted ? 'held' : microphone === false ? 'off' : speaking ? 'speaking' : 'on';
  const icon = muted || microphone === false ? 'micOff' : 'mic';
  const now = t(unmuteAsked ? 'microphone.asked' : `microphone.${look}`);
  if (!rights.may('mute'))
    return (
      <span className={`desk-sign desk-mic-${look}`} title={now}>
        <Icon name={icon} size={18} />
        <span className="visually-hidden">{now}</span>
      </span>
    );
  return (
    <ActionButton
      bare
      icon={icon}
      size={18}
      className={`desk-mic-${look} ${unmuteAsked ? 'desk-mic-asked' : ''}`}
      tabIndex={tabbable ? 0 : -1}
      aria-pressed={muted}
      label={t(muted ? 'microphone.unmute' : 'microphone.mute', { name, now })}
      cannot={rights.cannot('mute', row)}
      data-testid={`desk-mic-${termId}`}
      onAction={() => void desk.act({ verb: 'mute', termIds: [termId], muted: !muted })}
    />
  );
}

/** Shows whether the terminal can be seen; a press holds or releases its camera. */
export function CameraButton({ row, rights, tabbable }: RowButtonProps) {
  const t = useT();
  const desk = useDesk();
  const { name, cameraOff, camera, termId } = row;
  const look = cameraOff ? 'held' : camera === false ? 'off' : 'on';
  const icon = cameraOff || camera === false ? 'cameraOff' : 'camera';
  const now = t(`camera.${look}`);
  if (!rights.may('camera'))
    return (
      <span className={`desk-sign desk-mic-${look}`} title={now}>
        <Icon name={icon} size={18} />
        <span className="visually-hidden">{now}</span>
      </span>
    );
  return (
    <ActionButton
      bare
      icon={icon}
      size={18}
      className={`desk-mic-${look}`}
      tabIndex={tabbable ? 0 : -1}
      aria-pressed={cameraOff}
      label={t(cameraOff ? 'camera.allow' : 'camera.hold', { name, now })}
      cannot={rights.cannot('camera', row)}
      data-testid={`desk-camera-${termId}`}
      onAction={() => void desk.act({ verb: 'camera', termIds: [termId], open: cameraOff })}
    />
  );
}

/** Puts a terminal on air for all, or takes it off air. */
export function OnAirButton({ row, rights, tabbable }: RowButtonProps) {
  const t = useT();
  const desk = useDesk();
  const { name, onAir, termId } = row;
  if (!rights.may('speaker')) return onAir ? <span className="desk-on-air">{t('list.onAir')}</span> : null;
  return (
    <ActionButton
      bare={!onAir}
      icon="air"
      size={18}
      className={onAir ? 'desk-air-on' : ''}
      tabIndex={tabbable ? 0 : -1}
      aria-pressed={onAir}
      label={onAir ? t('list.onAir') : t('list.putOnAir', { name })}
      cannot={rights.cannot('speaker', row)}
      data-testid={`desk-air-${termId}`}
      // The wall has no room for the text.
      {...(onAir ? { 'aria-label': t('list.onAir') } : {})}
      onAction={() => void desk.act({ verb: 'speaker', termId: onAir ? null : termId })}
    />
  );
}
