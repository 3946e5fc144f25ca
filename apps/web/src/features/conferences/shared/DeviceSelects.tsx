import { useId } from 'react';
import type { LocalMedia, LocalMediaState } from '../../../call/index.ts';
import { useT } from '../texts.ts';
import { useStore } from './use-store.ts';
import '../../../ui/select.css';

/** Whether this browser lets a page choose the audio output. */
const CHOOSES_SPEAKER = typeof HTMLMediaElement !== 'undefined' && 'setSinkId' in HTMLMediaElement.prototype;

/** Selects for camera, microphone and speaker; used before joining and in the meeting. */
export function DeviceSelects({ local }: { local: LocalMedia }) {
  const t = useT();
  const { camera, microphone, speakerId, devices } = useStore(local.store);
  return (
    <div className="device-selects">
      <DeviceSelect
        label={t('preview.camera')}
        devices={devices.cameras}
        value={currentOf(camera)}
        testId="device-camera"
        onChoose={(id) => void local.choose('camera', id)}
      />
      <DeviceSelect
        label={t('preview.microphone')}
        devices={devices.microphones}
        value={currentOf(microphone)}
        testId="device-microphone"
        onChoose={(id) => void local.choose('microphone', id)}
      />
      {CHOOSES_SPEAKER && (
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
function currentOf({ track, deviceId }: LocalMediaState['camera']): string {
  return track?.getSettings().deviceId ?? deviceId ?? '';
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
