import { useId } from 'react';
import type { LocalMedia, LocalMediaState } from '../../../call/index.ts';
import { useT } from '../texts.ts';
import { useStore } from './use-store.ts';
import '../../../ui/select.css';

/** Whether this browser lets a page choose the audio output. */
const CHOOSES_SPEAKER = typeof HTMLMediaElement !== 'undefined' && 'setSinkId' in HTMLMediaElement.prototype;

type DeviceKind = 'camera' | 'microphone' | 'speaker';
const ALL: readonly DeviceKind[] = ['camera', 'microphone', 'speaker'];

interface DeviceSelectsProps {
  local: LocalMedia;
  kinds?: readonly DeviceKind[];
}

/** Selects for camera, microphone and speaker; used before joining and in the meeting. */
export function DeviceSelects({ local, kinds = ALL }: DeviceSelectsProps) {
  const t = useT();
  const { camera, microphone, speakerId, devices } = useStore(local.store);
  const choose = (kind: 'camera' | 'microphone', id: string | null) => void local.choose(kind, id);
  return (
    <div className="device-selects">
      {kinds.includes('camera') && (
        <DeviceSelect
          label={t('preview.camera')}
          devices={devices.cameras}
          value={currentOf(camera)}
          testId="device-camera"
          onChoose={(id) => choose('camera', id)}
        />
      )}
      {kinds.includes('microphone') && (
        <DeviceSelect
          label={t('preview.microphone')}
          devices={devices.microphones}
          value={currentOf(microphone)}
          testId="device-microphone"
          onChoose={(id) => choose('microphone', id)}
        />
      )}
      {kinds.includes('speaker') && CHOOSES_SPEAKER && (
        <DeviceSelect
          label={t('preview.speaker')}
          devices={devices.speakers}
          value={speakerId ?? ''}
          testId="device-speaker"
          onChoose={(id) => local.chooseSpeaker(id)}
        />
      )}
    </div>
  );
}

/** The device in use; if unknown, the chosen one. */
function currentOf({ source, deviceId }: LocalMediaState['camera']): string {
  return source?.getSettings().deviceId ?? deviceId ?? '';
}

interface DeviceSelectProps {
  label: string;
  devices: readonly MediaDeviceInfo[];
  value: string;
  testId: string;
  /** Null selects the browser's default. */
  onChoose: (deviceId: string | null) => void;
}

function DeviceSelect({ label, devices, value, testId, onChoose }: DeviceSelectProps) {
  const t = useT();
  const id = useId();
  const known = devices.some((each) => each.deviceId === value);
  return (
    <div className="device-select">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select"
        data-testid={testId}
        value={known ? value : ''}
        disabled={devices.length === 0}
        onChange={(event) => onChoose(event.target.value || null)}
      >
        {!known && <option value="">{devices.length === 0 ? t('preview.none') : t('preview.default')}</option>}
        {devices.map((each, at) => (
          <option key={each.deviceId} value={each.deviceId}>
            {each.label || t('preview.unnamed', { number: at + 1 })}
          </option>
        ))}
      </select>
    </div>
  );
}
