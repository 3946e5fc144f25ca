import type { LocalMedia } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { DeviceSelects } from '../shared/DeviceSelects.tsx';
import { useStore } from '../shared/use-store.ts';
import { useT } from '../texts.ts';
import { rowsOf, type CheckRow, type Progress } from './connection-check.ts';
import { DeviceProblems } from './DeviceProblems.tsx';
import { LevelMeter } from './LevelMeter.tsx';
import { SpeakerTest } from './SpeakerTest.tsx';
import { useConnectionCheck } from './useConnectionCheck.ts';
import './deviceCheck.css';

/** Checks of camera, microphone, speaker and of the connection to the media engine, each with what to do. */
export function DeviceCheckDialog({ local, onClose }: { local: LocalMedia; onClose: () => void }) {
  const t = useT();
  const { camera, microphone, speakerId } = useStore(local.store);
  return (
    <Dialog title={t('deviceCheck.open')} testId="device-check" onClose={onClose}>
      <section className="device-check-part">
        <h3>{t('deviceCheck.devices')}</h3>
        <DeviceSelects local={local} />
        <LevelMeter track={microphone.on ? microphone.track : null} />
        <SpeakerTest speakerId={speakerId} />
        <DeviceProblems camera={camera.error} microphone={microphone.error} local={local} />
      </section>
      <ConnectionPart />
    </Dialog>
  );
}

function ConnectionPart() {
  const t = useT();
  const { progress, place, again } = useConnectionCheck();
  const rows = rowsOf(progress);
  const isRunning = rows.some(({ state }) => state === 'running');
  const values = {
    host: place.host,
    ports: portsText(t, place.ports),
    ms: progress.delivery?.ms ?? '–',
    lost: percent(progress),
  };
  return (
    <section className="device-check-part" data-testid="connection-check" data-running={isRunning}>
      <h3>{t('connection.title')}</h3>
      <div role="status">
        <ul className="check-rows">
          {rows.map(({ step, state, words }) => (
            <li key={step} data-testid={`check-${step}`} data-state={state} data-words={words}>
              <Mark state={state} />
              <div>
                <span className="check-step">{t(`connection.${step}`)}</span>
                <span className="check-words">{t(`connection.words.${words}`, values)}</span>
              </div>
            </li>
          ))}
        </ul>
      </div>
      <Button busy={isRunning} data-testid="check-again" onClick={again}>
        {t('connection.again')}
      </Button>
    </section>
  );
}

function portsText(t: ReturnType<typeof useT>, ports: readonly number[]): string {
  if (ports.length === 0) return t('connection.anyPort');
  return t('connection.udpPorts', { count: ports.length, ports: ports.join(t('connection.separator')) });
}

const MARKS = { ok: 'check', warning: 'warning', failed: 'cancel' } as const;

function Mark({ state }: { state: CheckRow['state'] }) {
  if (state === 'running') return <span className="check-mark check-spinner" aria-hidden="true" />;
  return (
    <span className="check-mark" aria-hidden="true">
      {state !== 'waiting' && <Icon name={MARKS[state]} size={18} />}
    </span>
  );
}

function percent({ delivery }: Progress): string {
  const lost = delivery?.lost ?? null;
  return lost === null ? '–' : `${(lost * 100).toFixed(lost > 0 ? 1 : 0)}%`;
}
