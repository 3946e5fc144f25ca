import { lazy, Suspense, useId, useMemo, useState } from 'react';
import type { CaptureKind, LocalMedia, VideoHandle } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';
import { useStore } from '../shared/use-store.ts';
import { Video } from '../shared/Video.tsx';
import { DeviceSelects } from '../shared/DeviceSelects.tsx';
import { DeviceProblems } from './DeviceProblems.tsx';
import { Settings } from '../settings/Settings.tsx';
import { readViewPreferences, rememberViewPreferences } from '../room/model/view-preferences.ts';
import { LevelMeter } from './LevelMeter.tsx';

const DeviceCheckDialog = lazy(async () => ({ default: (await import('./DeviceCheckDialog.tsx')).DeviceCheckDialog }));

/** Aspect ratio of the place of the own picture. */
const PICTURE = 16 / 9;

/** What the others will see and hear, and its settings, before joining and while waiting. */
export function Preview({ local }: { local: LocalMedia }) {
  const t = useT();
  const devicesId = useId();
  const [showsDevices, setShowsDevices] = useState(false);
  const [checks, setChecks] = useState(false);
  const { camera, microphone } = useStore(local.store);
  const [mirror, toggleMirror] = useMirror();
  const video = useMemo(() => (camera.track === null ? null : local.handleOf(camera.track)), [local, camera.track]);
  const shown = camera.on ? video : null;
  return (
    <section className="preview" aria-label={t('preview.title')}>
      <div className="preview-picture" data-empty={shown === null && !camera.pending}>
        <PreviewPicture video={shown} pending={camera.pending} mirror={mirror} />
        {shown?.mirrored === true && <MirrorButton on={mirror} onToggle={toggleMirror} />}
        <div className="preview-toggles">
          <Toggle kind="microphone" on={microphone.on} local={local} />
          <Toggle kind="camera" on={camera.on} local={local} />
        </div>
      </div>
      <LevelMeter track={microphone.on ? microphone.track : null} />
      <DeviceProblems camera={camera.error} microphone={microphone.error} local={local} />
      <div className="preview-tools">
        <Button
          kind="quiet"
          className="preview-fold"
          aria-expanded={showsDevices}
          aria-controls={devicesId}
          data-testid="preview-devices"
          onClick={() => setShowsDevices(!showsDevices)}
        >
          <Icon name="devices" size={18} />
          {t('preview.devices')}
        </Button>
        <Effects local={local} />
        <Button kind="quiet" data-testid="preview-check" onClick={() => setChecks(true)}>
          <Icon name="check" size={18} />
          {t('deviceCheck.open')}
        </Button>
      </div>
      <div id={devicesId} className="preview-devices" data-open={showsDevices}>
        <DeviceSelects local={local} />
      </div>
      {checks && (
        <Suspense fallback={null}>
          <DeviceCheckDialog local={local} onClose={() => setChecks(false)} />
        </Suspense>
      )}
    </section>
  );
}

/** Opens the settings, where the background and the processing of sound are chosen. */
function Effects({ local }: { local: LocalMedia }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const problem = useStore(local.store).backgroundProblem;
  return (
    <>
      <Button kind="quiet" data-testid="preview-settings" onClick={() => setOpen(true)}>
        <Icon name="camera" size={18} />
        {t('self.open')}
      </Button>
      {problem !== null && !isOpen && (
        <p role="status" className="preview-problem">
          {t(`self.video.${problem}`)}
        </p>
      )}
      {isOpen && <Settings local={local} call={null} tab="video" onClose={() => setOpen(false)} />}
    </>
  );
}

function PreviewPicture({ video, pending, mirror }: { video: VideoHandle | null; pending: boolean; mirror: boolean }) {
  const t = useT();
  if (video !== null) return <Video video={video} aspect={PICTURE} mirror={mirror} label={t('preview.video')} />;
  return <p className="preview-note">{pending ? t('preview.cameraStarting') : t('preview.cameraOff')}</p>;
}

/** Whether the own picture is shown as in a mirror, also in the meeting. */
function useMirror(): [on: boolean, toggle: () => void] {
  const [on, setOn] = useState(() => readViewPreferences().mirror);
  const toggle = () => {
    rememberViewPreferences({ ...readViewPreferences(), mirror: !on });
    setOn(!on);
  };
  return [on, toggle];
}

function MirrorButton({ on, onToggle }: { on: boolean; onToggle: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      className="preview-mirror"
      aria-pressed={on}
      aria-label={t('view.mirror')}
      title={t('view.mirror')}
      data-testid="preview-mirror"
      onClick={onToggle}
    >
      <Icon name="mirror" size={20} />
    </button>
  );
}

function Toggle({ kind, on, local }: { kind: CaptureKind; on: boolean; local: LocalMedia }) {
  const t = useT();
  const name = kind === 'camera' ? 'camera' : 'mic';
  return (
    <button
      type="button"
      className="round-button"
      aria-pressed={on}
      aria-label={t(kind === 'camera' ? 'preview.camera' : 'preview.microphone')}
      title={t(`toolbar.${name}${on ? 'Off' : 'On'}`)}
      data-testid={`preview-${name}`}
      onClick={() => void local.setOn(kind, !on)}
    >
      <Icon name={on ? name : `${name}Off`} size={22} />
    </button>
  );
}
